/** Returns true if two values of a field are equal. */
export type IsSame<Values> = (name: keyof Values, one: unknown, other: unknown) => boolean;

/** Compares values of any shape by their JSON. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the fields in which two sets of values differ. */
export function changedFields<Values extends object>(
  before: Values,
  after: Values,
  isSame: IsSame<Values> = (_name, one, other) => isSameJson(one, other),
): (keyof Values)[] {
  return (Object.keys(before) as (keyof Values)[]).filter((name) => !isSame(name, before[name], after[name]));
}

/** The result of merging a form with a newer version of its record. */
export interface Merge<Values> {
  /** Fields that someone else changed and that differ from this form. */
  changedThere: (keyof Values)[];
  /** Fields that the user changed. */
  changedHere: (keyof Values)[];
  /** The newer record with the user's changes applied. */
  merged: Values;
}

/**
 * Merges what someone else saved (`fresh`) with what the user typed (`typed`), both based on `base`. `isSame` decides
 * what counts as a change; the fields in `together` are merged as one value.
 */
export function mergeChanges<Values extends object>(
  base: Values,
  typed: Values,
  fresh: Values,
  {
    isSame,
    together = [],
  }: { isSame?: IsSame<Values> | undefined; together?: readonly (keyof Values)[] | undefined } = {},
): Merge<Values> {
  const typedHere = changedFields(base, typed, isSame);
  const isOneOfThem = typedHere.some((name) => together.includes(name));
  const changedHere = [...new Set([...typedHere, ...(isOneOfThem ? together : [])])];
  const differing = new Set(changedFields(fresh, typed, isSame));
  const changedThere = changedFields(base, fresh, isSame).filter((name) => differing.has(name));
  const mine = Object.fromEntries(changedHere.map((name) => [name, typed[name]]));
  return { changedThere, changedHere, merged: { ...fresh, ...mine } };
}
