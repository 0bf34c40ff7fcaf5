interface Language {
  id: string;
  name: string;
}

const FIRST = ['en', 'es', 'fr'];

/** English, Spanish and French first, the others by name as `language` orders it (spec A section 3). */
export function orderLanguages<Item extends Language>(languages: readonly Item[], language: string): Item[] {
  const place = ({ id }: Item) => {
    const index = FIRST.indexOf(id);
    return index === -1 ? FIRST.length : index;
  };
  return [...languages].sort((one, other) => place(one) - place(other) || one.name.localeCompare(other.name, language));
}

/** The screening periods to choose from; a stored one that is not offered any more stays among them. */
export function screeningChoices<Period extends { value: string; totalHours: number }>(
  offered: readonly Period[],
  stored: Period | undefined,
): Period[] {
  const all = stored && !offered.some(({ value }) => value === stored.value) ? [...offered, stored] : [...offered];
  return all.sort((one, other) => one.totalHours - other.totalHours);
}
