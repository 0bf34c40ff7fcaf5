import type { Schemas } from '@/api/client';

type Bed = Schemas['Bed'];
type Room = Schemas['Room'];

/** A bed with the house it stands in. */
export interface PlacedBed {
  bed: Bed;
  room: Room;
}

/** What can still happen to a guest on this page. */
export type Placement = 'accept' | 'reassign' | 'ended';

/** Pending guests are accepted, guests in beds reassigned; the others get no actions (spec B section 4). */
export function placementOf(status: Schemas['GuestStatus']): Placement {
  if (status === 'pending') return 'accept';
  return status === 'accepted' || status === 'reassigned' ? 'reassign' : 'ended';
}

/** Whether a guest may be put into the bed: nobody is in it and it is not switched off. */
export function isFree(bed: Pick<Bed, 'disabled' | 'guest'>): boolean {
  return !bed.disabled && !bed.guest;
}

/** The bed with this id, undefined when it is not (any more) in one of the houses. */
export function findBed(rooms: readonly Room[], bedId: string | null): PlacedBed | undefined {
  for (const room of rooms) {
    const bed = room.beds.find(({ id }) => id === bedId);
    if (bed) return { bed, room };
  }
  return undefined;
}

/** The free bed to offer in place of a lost one: in the same house if there is one, else the first of the site. */
export function nextFreeBed(rooms: readonly Room[], lostBedId: string): PlacedBed | undefined {
  const home = findBed(rooms, lostBedId)?.room;
  const ordered = home ? [home, ...rooms.filter(({ id }) => id !== home.id)] : rooms;
  for (const room of ordered) {
    const bed = room.beds.find((other) => other.id !== lostBedId && isFree(other));
    if (bed) return { bed, room };
  }
  return undefined;
}

/** The houses with the beds to show: all of them, or the vacant ones only; houses without any are left out. */
export function housesToShow(
  rooms: readonly Room[],
  showsAll: boolean,
): readonly { room: Room; beds: readonly Bed[] }[] {
  return rooms
    .map((room) => ({ room, beds: showsAll ? room.beds : room.beds.filter(isFree) }))
    .filter(({ beds }) => beds.length > 0);
}
