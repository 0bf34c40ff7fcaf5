/** Spanish as it is written in the United States: plain Spanish reads 12:30 PM as "0:30" and Pacific time as "GMT-8". */
const REGIONAL: Readonly<Record<string, string>> = { es: 'es-US' };

/** Returns the locale for dates and money in a language of the screens. */
export function regionalLocale(language: string): string {
  return REGIONAL[language] ?? language;
}

const made = new Map<string, Intl.DateTimeFormat>();

/**
 * The format of a language and its options, made once. Making one costs as much as hundreds of uses, and lists of times
 * and tables of guests need the same one over and over.
 */
export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = made.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(regionalLocale(language), options);
  made.set(key, format);
  return format;
}
