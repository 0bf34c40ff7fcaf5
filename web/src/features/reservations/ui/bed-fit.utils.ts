import type { Schemas } from '@/api/client';
import { isVacant, type PlacedBed } from '@/features/houses/ui/beds.utils';
import { misfitsOf, type Person, type PlacementRules } from '@/features/houses/ui/meant-for.utils';
import { housesToShow } from './placement.utils';

type Bed = Schemas['Bed'];
type BedType = Bed['type'];
type Room = Schemas['Room'];
/** The facts about a guest by which beds are ranked. */
export type Needs = Pick<Schemas['Guest'], 'id' | 'gender' | 'services'> & Person;

/** The services that take a kind of bed, the most pressing kind first. Other services are the same in every bed. */
const NEEDED_BEDS: readonly { readonly type: BedType; readonly services: readonly string[] }[] = [
  { type: 'Detox', services: ['medical-detox'] },
  {
    type: 'Treatment',
    services: ['drug-treatment', 'alcohol-treatment', 'medication-assisted-treatment', 'dual-diagnosis'],
  },
  { type: 'Sober Living', services: ['sober-living'] },
];

/** Who lives in the house of a bed: only guests of the same gender, also others, only others, or nobody that decides it. */
export type Company = 'same' | 'mixed' | 'other' | 'open';

/** A vacant bed, and what speaks for it and against it. */
export interface BedFit extends PlacedBed {
  /** The guest's services ask for a bed of this type. */
  readonly isNeededType: boolean;
  readonly company: Company;
  /** Ids of what speaks against it by the placement rules. */
  readonly misfits: readonly string[];
}

/** The types of bed that the guest's services ask for, the most pressing first. */
function neededTypes({ services }: Needs): readonly BedType[] {
  return NEEDED_BEDS.filter((needed) => services.some(({ id }) => needed.services.includes(id))).map(
    ({ type }) => type,
  );
}

/** Whatever a house is for: the guests who live there now speak for them. */
function companyOf(room: Room, { id, gender }: Needs): Company {
  if (gender === 'Other') return 'open';
  const others = room.beds.flatMap(({ guest }) => (guest && guest.id !== id ? [guest.gender] : []));
  const hasOther = others.some((other) => other !== gender && other !== 'Other');
  if (others.includes(gender)) return hasOther ? 'mixed' : 'same';
  return hasOther ? 'other' : 'open';
}

const COMPANY_ORDER: readonly Company[] = ['same', 'mixed', 'open', 'other'];

/**
 * The vacant beds, the best for the guest first: those that are for the guest by the placement rules, then those of the
 * type that the services ask for, then houses where guests of the same gender live, first those with nobody else, then the order
 * of the houses.
 */
export function rankBeds(rooms: readonly Room[], guest: Needs, rules: PlacementRules): readonly BedFit[] {
  const types = neededTypes(guest);
  const typeOrder = (bed: Bed) => (types.includes(bed.type) ? types.indexOf(bed.type) : types.length);
  return rooms
    .flatMap((room) => {
      const company = companyOf(room, guest);
      const misfits = misfitsOf(room, guest, rules);
      return room.beds
        .filter(isVacant)
        .map((bed): BedFit => ({ bed, room, company, misfits, isNeededType: types.includes(bed.type) }));
    })
    .toSorted(
      (a, b) =>
        Math.min(a.misfits.length, 1) - Math.min(b.misfits.length, 1) ||
        typeOrder(a.bed) - typeOrder(b.bed) ||
        COMPANY_ORDER.indexOf(a.company) - COMPANY_ORDER.indexOf(b.company),
    );
}

/** The bed to propose for a guest; undefined if no vacant one is for the guest. */
export function bestBed(rooms: readonly Room[], guest: Needs, rules: PlacementRules): BedFit | undefined {
  return rankBeds(rooms, guest, rules).find(isFor);
}

/** Returns true if a bed of this house is shown to the guest without a warning. */
export function isWithoutWarning(room: Room, guest: Needs, rules: PlacementRules): boolean {
  return misfitsOf(room, guest, rules).length === 0 && companyOf(room, guest) !== 'other';
}

/** Returns true if nothing in the placement rules speaks against the bed. */
export function isFor({ misfits }: Pick<BedFit, 'misfits'>): boolean {
  return misfits.length === 0;
}

/** The types of the vacant beds with their numbers, in the order of the catalog. */
export function vacantTypes(fits: readonly BedFit[]): readonly { readonly type: BedType; readonly count: number }[] {
  return NEEDED_BEDS.map(({ type }) => ({ type, count: fits.filter(({ bed }) => bed.type === type).length })).filter(
    ({ count }) => count > 0,
  );
}

/** The houses with the beds to show, the best bed first; beds that are not vacant follow in their own order. */
export function housesByFit(
  rooms: readonly Room[],
  fits: readonly BedFit[],
  { showsAll, type }: { readonly showsAll: boolean; readonly type: BedType | null },
): readonly { readonly room: Room; readonly beds: readonly Bed[] }[] {
  const places = new Map(fits.map(({ bed }, index) => [bed.id, index]));
  const placeOf = (bed: Bed) => places.get(bed.id) ?? fits.length;
  const firstOf = (beds: readonly Bed[]) => Math.min(...beds.map(placeOf));
  return housesToShow(rooms, showsAll)
    .map(({ room, beds }) => ({
      room,
      beds: beds.filter((bed) => type === null || bed.type === type).toSorted((a, b) => placeOf(a) - placeOf(b)),
    }))
    .filter(({ beds }) => beds.length > 0)
    .toSorted((a, b) => firstOf(a.beds) - firstOf(b.beds));
}
