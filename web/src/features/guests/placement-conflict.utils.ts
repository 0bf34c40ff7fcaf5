import type { Schemas } from '@/api/client';
import { findBed, type PlacedBed } from '@/features/houses/ui/beds.utils';
import { misfitsOf, placementRules } from '@/features/houses/ui/meant-for.utils';
import type { GuestUpdate } from './api/guest-commands';

/** A guest who would get a bed that is not for them, and what speaks against it. */
interface Conflict {
  readonly guest: Schemas['GuestShort'];
  readonly at: PlacedBed;
  readonly misfits: readonly string[];
}

/** What a placement against the rules would do, as far as it is known here. */
export interface PlacementFacts {
  /** The bed that was asked for. */
  readonly at: PlacedBed | undefined;
  /** The guest whose bed it is now, in a swap. */
  readonly other: Schemas['GuestShort'] | undefined;
  readonly conflicts: readonly Conflict[];
}

/**
 * Says which guests of a refused command would be in a bed that is not for them. `guests` are those of the site: of a guest
 * in a bed the site itself knows only the gender.
 */
export function placementFacts(
  { guest, update }: { guest: Schemas['Guest']; update: GuestUpdate },
  site: Schemas['SiteDetails'] | undefined,
  guests: readonly Schemas['Guest'][] = [],
): PlacementFacts {
  if (!site) return { at: undefined, other: undefined, conflicts: [] };
  // Only a strict site refuses, whatever was loaded before.
  const rules = placementRules({ ...site, strictPlacement: true }, true);
  const judged = (who: Schemas['GuestShort'], at: PlacedBed): Conflict => {
    const known = who.id === guest.id ? guest : guests.find(({ id }) => id === who.id);
    return { guest: who, at, misfits: misfitsOf(at.room, { ...known, gender: who.gender }, rules) };
  };
  const at = findBed(site.rooms, update.bedId ?? null);
  const other = update.status === 'SWAP' ? (at?.bed.guest ?? undefined) : undefined;
  const from = findBed(site.rooms, guest.assignedBedId);
  const all = [...(at ? [judged(guest, at)] : []), ...(other && from ? [judged(other, from)] : [])];
  return { at, other, conflicts: all.filter(({ misfits }) => misfits.length > 0) };
}
