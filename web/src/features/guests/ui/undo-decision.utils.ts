import type { Schemas } from '@/api/client';

/** How long a decline or discharge can be undone, in milliseconds; the server decides. */
const UNDO_TIME = 24 * 60 * 60 * 1000;

type Ended = Pick<Schemas['Guest'], 'status' | 'rejectedAt' | 'cancelledAt' | 'mergedAt' | 'dischargedAt'>;

/** Until when the last decision about a guest can be undone, in epoch milliseconds; null when it never can, as after the guest cancelled, or while it is merged. */
export function undoableUntil({ status, rejectedAt, cancelledAt, mergedAt, dischargedAt }: Ended): number | null {
  if (cancelledAt !== null || mergedAt !== null) return null;
  const at = status === 'rejected' ? rejectedAt : status === 'discharged' ? dischargedAt : null;
  return at === null ? null : Date.parse(at) + UNDO_TIME;
}
