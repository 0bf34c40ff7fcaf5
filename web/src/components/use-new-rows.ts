import { useState } from 'react';
import { type ListRows, seeRows, type SeenRows } from '@/lib/new-rows';

const NONE: ReadonlySet<string> = new Set();

/** The ids of the rows that came with the last change of a list, for `data-new`. Leave `rows` out while it loads. */
export function useNewRows(rows: ListRows | undefined): ReadonlySet<string> {
  const [before, setBefore] = useState<SeenRows>();
  const seen = rows ? seeRows(before, rows) : before;
  if (seen !== before) setBefore(seen);
  return seen?.newIds ?? NONE;
}
