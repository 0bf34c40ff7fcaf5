import type { Schemas } from '@/api/client';
import { hasBed } from '@/features/guests/ui/guest-facts.utils';
import { isVacant } from '@/features/houses/ui/beds.utils';

type Bed = Schemas['Bed'];
type Room = Schemas['Room'];

/** What can still happen to a guest on this page. */
export type Placement = 'accept' | 'reassign' | 'ended';

/** Pending guests are accepted, guests in beds reassigned; the others get no actions (spec B section 4). */
export function placementOf(status: Schemas['GuestStatus']): Placement {
  if (status === 'pending') return 'accept';
  return hasBed({ status }) ? 'reassign' : 'ended';
}

/** The houses with the beds to show: all of them, or the vacant ones only; houses without any are left out. */
export function housesToShow(
  rooms: readonly Room[],
  showsAll: boolean,
): readonly { room: Room; beds: readonly Bed[] }[] {
  return rooms
    .map((room) => ({ room, beds: showsAll ? room.beds : room.beds.filter(isVacant) }))
    .filter(({ beds }) => beds.length > 0);
}
