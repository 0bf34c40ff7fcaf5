/** The rows that a list has now. */
export interface ListRows {
  /** What the list is about, its filters included. Rows of another scope are no news. */
  scope: string;
  ids: readonly string[];
  /** False where more rows exist than are listed: one that moves up is no news either. */
  isWhole: boolean;
}

/** A list at its last change, and which of its rows came with it. */
export interface SeenRows extends ListRows {
  newIds: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Compares a list with what was seen of it before. Returns `before` itself while the rows are the same. */
export function seeRows(before: SeenRows | undefined, rows: ListRows): SeenRows {
  if (before?.scope !== rows.scope) return { ...rows, newIds: NONE };
  const known = new Set(before.ids);
  const added = rows.ids.filter((id) => !known.has(id));
  const isSame = added.length === 0 && rows.ids.length === before.ids.length && rows.isWhole === before.isWhole;
  if (isSame) return before;
  return { ...rows, newIds: before.isWhole ? new Set(added) : NONE };
}
