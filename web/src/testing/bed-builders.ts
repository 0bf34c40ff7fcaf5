import type { Schemas } from '@/api/client';

type Bed = Schemas['Bed'];
type Room = Schemas['Room'];
type GuestShort = Schemas['GuestShort'];

/** A guest as beds know one: `guestShort('g1')` is "Ana G1". */
export function guestShort(id: string, fields: Partial<GuestShort> = {}): GuestShort {
  return {
    id,
    code: id.toUpperCase(),
    firstName: 'Ana',
    lastName: 'B',
    displayName: `Ana ${id.toUpperCase()}`,
    gender: 'Female',
    acceptedAt: '2026-11-01T10:00:00.000Z',
    reassignedAt: null,
    daysStayed: 3,
    isArriving: false,
    expectedDeparture: null,
    version: 1,
    ...fields,
  };
}

/** A vacant Detox bed named "Bed {id}"; `room()` puts it into its house. */
export function bed(id: string, fields: Partial<Bed> = {}): Bed {
  return {
    id,
    name: `Bed ${id}`,
    description: null,
    type: 'Detox',
    index: 0,
    imagePath: null,
    disabled: false,
    disabledKind: fields.disabled ? 'out-of-service' : null,
    disabledReason: null,
    expectedBack: null,
    isOverdue: false,
    offeredUntil: null,
    isOccupied: Boolean(fields.guest),
    guest: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    version: 1,
    room: { id: 'r', name: 'House r', imagePath: null },
    ...fields,
  };
}

/** A house named "House {id}" with these beds; its counts follow from them. */
export function room(id: string, beds: readonly Bed[], fields: Partial<Room> = {}): Room {
  const name = fields.name ?? `House ${id}`;
  const occupied = beds.filter((one) => one.guest).length;
  const disabled = beds.filter((one) => one.disabled && !one.guest).length;
  return {
    id,
    name,
    photo: null,
    imagePath: null,
    hasPhoto: false,
    hasBeds: beds.length > 0,
    hasAnyGuests: occupied > 0,
    bedsCount: beds.length,
    vacantBedsCount: beds.length - occupied - disabled,
    occupiedBedsCount: occupied,
    disabledBedsCount: disabled,
    meantFor: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    version: 1,
    beds: beds.map((one, index) => ({ ...one, index, room: { id, name, imagePath: null } })),
    ...fields,
  };
}

/** A commercial site with these houses. */
export function siteDetails(
  rooms: readonly Room[],
  fields: Partial<Schemas['SiteDetails']> = {},
): Schemas['SiteDetails'] {
  const sum = (count: (one: Room) => number) => rooms.reduce((total, one) => total + count(one), 0);
  const offered = sum(({ beds }) => beds.filter(({ offeredUntil }) => offeredUntil !== null).length);
  const counts = {
    rooms: rooms.length,
    beds: sum((one) => one.bedsCount),
    vacant: sum((one) => one.vacantBedsCount),
    available: sum((one) => one.vacantBedsCount) - offered,
    offered,
    occupied: sum((one) => one.occupiedBedsCount),
    disabled: sum((one) => one.disabledBedsCount),
    pending: 0,
    guests: sum((one) => one.occupiedBedsCount),
  };
  return {
    id: 's1',
    name: 'Harbor House',
    alias: null,
    description: 'A quiet place.',
    organizationId: 'o1',
    organizationName: 'Harbor Recovery',
    isCommercial: true,
    organizationIsDisabled: false,
    isDisabled: false,
    address: '1 Main St, Santa Ana, CA',
    contactPhone: '+17145550100',
    contactEmail: 'front@harbor.example',
    contactWeb: null,
    coverImage: null,
    images: [],
    timeZone: 'America/Los_Angeles',
    screeningPeriod: { totalHours: 24, value: '01:00:00:00' },
    lengthOfStayDaysMin: null,
    lengthOfStayDaysMax: null,
    intakePeriods: [],
    languages: [],
    services: [],
    nonCommercialPaymentMethods: [],
    organizationReservationPaymentMethods: [],
    insuranceCompanies: [],
    rooms: [...rooms],
    countOfBeds: counts.beds,
    countOfVacantBeds: counts.vacant,
    counts,
    version: 1,
    editVersion: 1,
    showDaysOfWeek: true,
    asksArrival: false,
    strictPlacement: false,
    subscription: null,
    ...fields,
  } as Schemas['SiteDetails'];
}

/** A guest as the guests list has one: pending unless `fields` say otherwise. */
export function guest(id: string, fields: Partial<Schemas['Guest']> = {}): Schemas['Guest'] {
  return {
    ...guestShort(id),
    age: null,
    typeOfClient: null,
    location: null,
    services: [],
    siteId: 's1',
    siteName: 'Harbor House',
    status: 'pending',
    createdAt: '2026-11-20T10:00:00.000Z',
    acceptedAt: null,
    arrivedAt: null,
    noShowAt: null,
    rejectedAt: null,
    cancelledAt: null,
    mergedAt: null,
    dischargedAt: null,
    expiresAt: null,
    expiredAt: null,
    source: 'Admin',
    assignedBedId: null,
    room: null,
    bed: null,
    feedback: null,
    reasonName: null,
    mediCalChoice: null,
    organizationReservationPaymentMethod: null,
    insuranceCompanyName: null,
    ...fields,
  };
}

/** A service as the catalog has it. */
export function service(id: string, name: string, category: Schemas['Service']['category']): Schemas['Service'] {
  return { id, name, category, type: null };
}

/** A stay of a month in 2019 at Harbor House, as who was here before is told. */
export function earlierStay(fields: Partial<Schemas['EarlierReservation']> = {}): Schemas['EarlierReservation'] {
  return {
    id: 'old',
    code: 'OLD',
    displayName: 'Anna K. OLD',
    siteId: 's1',
    siteName: 'Harbor House',
    status: 'discharged',
    createdAt: '2019-03-01T20:00:00.000Z',
    acceptedAt: '2019-03-01T20:00:00.000Z',
    dischargedAt: '2019-03-31T20:00:00.000Z',
    noShowAt: null,
    rejectedAt: null,
    daysStayed: 30,
    feedback: null,
    reasonName: null,
    version: 1,
    mergedAt: null,
    merged: null,
    ...fields,
  };
}
