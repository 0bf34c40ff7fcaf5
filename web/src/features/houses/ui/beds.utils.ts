import type { Schemas } from '@/api/client';

type Bed = Schemas['Bed'];
type Room = Schemas['Room'];

/** From so many houses on, there are tools to find one. */
export const MANY_HOUSES = 4;

/** A bed with the house it stands in. */
export interface PlacedBed {
  bed: Bed;
  room: Room;
}

/** Returns true if a guest may be put into the bed: nobody is in it, it is in use, and it is not offered to anyone who waits. */
export function isVacant(bed: Pick<Bed, 'disabled' | 'guest' | 'offeredUntil'>): boolean {
  return !bed.disabled && !bed.guest && bed.offeredUntil === null;
}

/** The bed with this id; undefined if it is not (any more) in one of the houses. */
export function findBed(rooms: readonly Room[], bedId: string | null): PlacedBed | undefined {
  for (const room of rooms) {
    const bed = room.beds.find(({ id }) => id === bedId);
    if (bed) return { bed, room };
  }
  return undefined;
}

/**
 * The bed to offer in place of `nearBedId`: the vacant one closest to it in the order of the board, the later of two
 * equally close ones; the first vacant one if `nearBedId` is not on the board. The server offers by the same rule.
 * `isWanted` leaves others out.
 */
export function nextFreeBed(
  rooms: readonly Room[],
  nearBedId: string,
  isWanted: (placed: PlacedBed) => boolean = () => true,
): PlacedBed | undefined {
  const beds = rooms.flatMap((room) => room.beds.map((bed) => ({ bed, room })));
  const place = Math.max(
    0,
    beds.findIndex(({ bed }) => bed.id === nearBedId),
  );
  const mayOffer = (placed: PlacedBed) => isVacant(placed.bed) && placed.bed.id !== nearBedId && isWanted(placed);
  const after = beds.findIndex((placed, index) => index >= place && mayOffer(placed));
  const before = beds.findLastIndex((placed, index) => index < place && mayOffer(placed));
  if (before === -1) return beds[after];
  if (after === -1) return beds[before];
  return after - place <= place - before ? beds[after] : beds[before];
}
