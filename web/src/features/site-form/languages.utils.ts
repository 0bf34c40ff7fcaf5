interface Language {
  id: string;
  name: string;
}

const FIRST = ['English', 'Spanish', 'French'];

/** English, Spanish and French first, the others by name (spec A section 3). */
export function orderLanguages<Item extends Language>(languages: readonly Item[]): Item[] {
  const place = ({ name }: Item) => {
    const index = FIRST.indexOf(name);
    return index === -1 ? FIRST.length : index;
  };
  return [...languages].sort((one, other) => place(one) - place(other) || one.name.localeCompare(other.name, 'en'));
}

/** The screening periods to choose from; a stored one that is not offered any more stays among them. */
export function screeningChoices<Period extends { value: string; totalHours: number }>(
  offered: readonly Period[],
  stored: Period | undefined,
): Period[] {
  const all = stored && !offered.some(({ value }) => value === stored.value) ? [...offered, stored] : [...offered];
  return all.sort((one, other) => one.totalHours - other.totalHours);
}
