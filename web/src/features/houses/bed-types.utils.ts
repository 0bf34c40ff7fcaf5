import type { Bed, Room } from './houses.utils';
import { type BedState, bedState } from './ui/bed-tile.utils';

/** The types of beds, in the order of lists (spec B, section 3). */
export const BED_TYPES = ['Detox', 'Treatment', 'Sober Living'] as const satisfies readonly Bed['type'][];

/** The types that the beds of a site have. */
export function typesOf(rooms: readonly Room[]): readonly Bed['type'][] {
  const found = new Set(rooms.flatMap(({ beds }) => beds.map(({ type }) => type)));
  return BED_TYPES.filter((type) => found.has(type));
}

/** The houses with the beds of a type, and the counts of those; houses that have none are left out. */
export function bedsOfType(rooms: readonly Room[], type: Bed['type'] | undefined): readonly Room[] {
  if (type === undefined) return rooms;
  return rooms
    .map((room) => {
      const beds = room.beds.filter((bed) => bed.type === type);
      const states = beds.map(bedState);
      const count = (wanted: BedState) => states.filter((state) => state === wanted).length;
      return {
        ...room,
        beds,
        bedsCount: beds.length,
        vacantBedsCount: count('vacant'),
        occupiedBedsCount: count('occupied'),
        disabledBedsCount: count('disabled'),
      };
    })
    .filter((room) => room.beds.length > 0);
}
