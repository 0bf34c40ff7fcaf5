import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { findBed, isVacant, nextFreeBed, type PlacedBed } from '@/features/houses/ui/beds.utils';
import { misfitsOf, type PlacementRules } from '@/features/houses/ui/meant-for.utils';
import { bestBed, isWithoutWarning, type Needs } from './ui/bed-fit.utils';

/** A bed to offer in place of one that was lost. */
export interface BedOffer {
  bedId: string;
  bedName: string;
  roomName: string;
}

/** What decides which bed is proposed. */
interface Context {
  rooms: readonly Schemas['Room'][];
  guest: Needs;
  rules: PlacementRules;
}

/**
 * The id of the bed to propose: the one that was asked for, if it is vacant and no rule of a strict site speaks against it,
 * else the one that fits best. Null if no vacant bed is for the guest.
 */
export function proposedBed(context: Context, bedId?: string): string | null {
  const { rooms, guest, rules } = context;
  const asked = bedId === undefined ? undefined : findBed(rooms, bedId);
  const isProposed = asked && isVacant(asked.bed) && !isAgainstRules(asked, context);
  return (isProposed ? asked : bestBed(rooms, guest, rules))?.bed.id ?? null;
}

/** The bed that is not to be had any more. */
interface LostBed {
  /** It was chosen, and taken or switched off while the page was open. */
  lost: PlacedBed | undefined;
  /** Id of the bed that the last command asked for. */
  askedId: string | null | undefined;
}

/**
 * The bed to offer after another one was lost: the server's word after a 409, else the nearest free one as the page knows
 * it. If the page warns of that bed, the nearest one without a warning. If each has one and a placement rule speaks against
 * the nearest, the one that fits best; a site that only warns offers the nearest all the same if none fits.
 */
export function offerOf(error: Error | null, { lost, askedId }: LostBed, context: Context): BedOffer | undefined {
  const { rooms, guest, rules } = context;
  const named = error instanceof ConflictError ? error.problem.nextFreeBed : undefined;
  const nearest = named ? findBed(rooms, named.bedId) : lost && nextFreeBed(rooms, lost.bed.id);
  const isClear = ({ room }: PlacedBed) => isWithoutWarning(room, guest, rules);
  if (!nearest || isClear(nearest)) return named ?? (nearest && offerFor(nearest));
  const clear = nextFreeBed(rooms, lost?.bed.id ?? askedId ?? nearest.bed.id, isClear);
  if (clear) return offerFor(clear);
  const isMisfit = misfitsOf(nearest.room, guest, rules).length > 0;
  const best = isMisfit ? bestBed(rooms, guest, rules) : undefined;
  if (best) return offerFor(best);
  if (isMisfit && isAgainstRules(nearest, context)) return undefined;
  return named ?? offerFor(nearest);
}

function offerFor({ bed, room }: PlacedBed): BedOffer {
  return { bedId: bed.id, bedName: bed.name, roomName: room.name };
}

/** A site that only warns leaves the choice to the user. */
function isAgainstRules({ room }: PlacedBed, { guest, rules }: Context): boolean {
  return rules.breach !== 'warned' && misfitsOf(room, guest, rules).length > 0;
}
