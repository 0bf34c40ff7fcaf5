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

/** How a form and a newer version of its record differ. */
export interface Merge<Values> {
  /** Fields that someone else changed, without those that the user changed in the same way. */
  changedThere: (keyof Values)[];
  /** Fields that the user changed. */
  changedHere: (keyof Values)[];
}

/** What decides about a merge. */
interface MergeOptions<Values> {
  /** What counts as a change. */
  isSame?: IsSame<Values> | undefined;
  /** Fields that are one value: if one of them was changed, all were. */
  together?: readonly (keyof Values)[] | undefined;
  /** A version since `base` that the form shows where the user changed nothing. */
  seen?: Values | undefined;
}

/** Returns the fields, with all of `together` if one of those is among them. */
export function withPartners<Name>(names: Name[], together: readonly Name[]): Name[] {
  return names.some((name) => together.includes(name)) ? [...new Set([...names, ...together])] : names;
}

/** Compares what someone else saved (`fresh`) with what the user typed (`typed`), both based on `base`. */
export function mergeChanges<Values extends object>(
  base: Values,
  typed: Values,
  fresh: Values,
  { isSame, together = [], seen = base }: MergeOptions<Values> = {},
): Merge<Values> {
  const notSeen = changedFields(seen, typed, isSame);
  const typedHere = changedFields(base, typed, isSame).filter((name) => notSeen.includes(name));
  const changedHere = withPartners(typedHere, together);
  const differing = changedFields(fresh, typed, isSame);
  const changedThere = changedFields(base, fresh, isSame).filter(
    (name) => differing.includes(name) || !changedHere.includes(name),
  );
  return { changedThere, changedHere };
}
