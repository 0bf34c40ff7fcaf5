const made = new Map<string, Intl.DateTimeFormat>();

/**
 * The format of a language and its options, made once. Making one costs as much as hundreds of uses, and lists of times
 * and tables of guests need the same one over and over.
 */
export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = made.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(language, options);
  made.set(key, format);
  return format;
}
