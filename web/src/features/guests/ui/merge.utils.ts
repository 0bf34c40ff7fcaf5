import type { Schemas } from '@/api/client';
import { hasBed } from './guest-facts.utils';

/** A reservation as far as a merge is decided by it. */
type Party = Pick<Schemas['EarlierReservation'], 'id' | 'status' | 'mergedAt'>;

/** Two reservations to merge: one is kept, the other is the duplicate. */
export interface Pair<Kept, Duplicate> {
  kept: Kept;
  duplicate: Duplicate;
}

const isPending = ({ status }: Party) => status === 'pending';

/**
 * Which of two reservations of one person is kept: the one with a bed, else the pending one, else the one that is shown. Null where the
 * server would refuse: both have a bed, or one is merged already.
 */
export function mergePair<One extends Party, Other extends Party>(
  shown: One,
  other: Other,
): Pair<One | Other, One | Other> | null {
  if (shown.mergedAt !== null || other.mergedAt !== null) return null;
  if (hasBed(shown) && hasBed(other)) return null;
  const rank = (party: Party) => (hasBed(party) ? 2 : isPending(party) ? 1 : 0);
  return rank(other) > rank(shown) ? { kept: other, duplicate: shown } : { kept: shown, duplicate: other };
}

/** What becomes of two reservations that are merged: which one is kept, and whether the other ends. Null where they cannot be merged. */
export function outcomeOf({ kept, duplicate }: Pair<Party, Party>): string | null {
  if (!mergePair(kept, duplicate)) return null;
  return `${kept.id} is kept, ${duplicate.id} ${isPending(duplicate) ? 'ends' : 'stays'}`;
}
