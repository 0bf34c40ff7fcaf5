import type { Schemas } from '@/api/client';
import { bedState } from './ui/bed-tile.utils';

export type Room = Schemas['Room'];
export type Bed = Schemas['Bed'];

/** The bed tabs (spec B, section 2). */
export const BED_FILTERS = ['all', 'vacant', 'occupied'] as const;
export type BedFilter = (typeof BED_FILTERS)[number];

export interface BedCounts {
  readonly all: number;
  readonly vacant: number;
  readonly occupied: number;
  readonly disabled: number;
}

/** The numbers of the bed tabs. Disabled beds are among all beds, never among the vacant (DESIGN, section 6). */
export function countBeds(rooms: readonly Room[]): BedCounts {
  const counts = { all: 0, vacant: 0, occupied: 0, disabled: 0 };
  for (const room of rooms) {
    for (const bed of room.beds) {
      counts.all += 1;
      counts[bedState(bed)] += 1;
    }
  }
  return counts;
}

/** The houses with the beds of a tab; houses that have none of them are left out, except from all beds. */
export function filterBeds(rooms: readonly Room[], filter: BedFilter): readonly Room[] {
  if (filter === 'all') return rooms;
  return rooms
    .map((room) => ({ ...room, beds: room.beds.filter((bed) => bedState(bed) === filter) }))
    .filter((room) => room.beds.length > 0);
}

/** The address of the bed report as a file. */
export function reportFileOf(siteId: string, format: 'csv' | 'xlsx', beds: BedFilter, language: string): string {
  return `/api/Sites/${siteId}/beds.${format}?${new URLSearchParams({ beds, language }).toString()}`;
}

/** What the user wants to do with a house or a bed. */
export type HouseAction = 'edit' | 'add-beds' | 'delete';
export type BedAction = 'edit' | 'disable' | 'enable' | 'remove' | 'guest' | 'history';

/** The dialog that is open; a refusal is one, too. */
export type HousesDialog =
  | { readonly kind: 'add-house' }
  | { readonly kind: 'edit-house'; readonly room: Room }
  | { readonly kind: 'delete-house'; readonly room: Room }
  | { readonly kind: 'refuse-house'; readonly room: Room }
  | { readonly kind: 'add-beds'; readonly room: Room }
  | { readonly kind: 'edit-bed'; readonly bed: Bed }
  | { readonly kind: 'disable-bed'; readonly bed: Bed }
  | { readonly kind: 'remove-bed'; readonly bed: Bed }
  | { readonly kind: 'refuse-bed'; readonly bed: Bed; readonly action: 'edit' | 'disable' | 'remove' };

/** A house whose beds hold guests cannot be deleted (spec B, section 5). */
export function dialogOfHouse(room: Room, action: HouseAction): HousesDialog {
  switch (action) {
    case 'edit':
      return { kind: 'edit-house', room };
    case 'add-beds':
      return { kind: 'add-beds', room };
    case 'delete':
      return room.beds.some((bed) => bed.guest) ? { kind: 'refuse-house', room } : { kind: 'delete-house', room };
  }
}

/** An occupied bed cannot be disabled, edited or removed (spec B, section 4). Enabling needs no question. */
export function dialogOfBed(bed: Bed, action: Exclude<BedAction, 'enable' | 'guest' | 'history'>): HousesDialog {
  if (bed.guest) return { kind: 'refuse-bed', bed, action };
  switch (action) {
    case 'edit':
      return { kind: 'edit-bed', bed };
    case 'disable':
      return { kind: 'disable-bed', bed };
    case 'remove':
      return { kind: 'remove-bed', bed };
  }
}

/** The bed's present data as the edit call wants it; the version says what the user saw. */
export function draftOf(bed: Bed): Schemas['BedEdit'] & { id: string } {
  const { id, name, type, disabled, version } = bed;
  return { id, name, type, disabled, version, description: bed.description ?? null, imagePath: bed.imagePath ?? null };
}

/** The steps of the count in 'Add Multiple Beds'. */
export const MIN_BEDS = 1;
export const MAX_BEDS = 50;
