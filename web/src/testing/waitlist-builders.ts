import type { Schemas } from '@/api/client';
import { serverNow } from '@/lib/clock';

/** The server's time in some minutes. */
export const inMinutes = (minutes: number) => new Date(serverNow() + minutes * 60_000).toISOString();

/** A person on the waitlist. */
export function waitingPerson(
  firstName: string,
  fields: Partial<Schemas['WaitingGuest']> = {},
): Schemas['WaitingGuest'] {
  return {
    id: firstName,
    code: `${firstName.toUpperCase()}1`,
    firstName,
    lastName: 'B',
    gender: 'Female',
    age: null,
    services: [],
    bedType: null,
    hasPriority: false,
    waitsSince: inMinutes(-125),
    passedOffers: 0,
    offer: null,
    phone: '+17145550123',
    email: `${firstName}@guests.example`,
    version: 3,
    ...fields,
  };
}

/** A bed on offer for 24 minutes more. */
export function bedOffer(fields: Partial<Schemas['BedOffer']> = {}): Schemas['BedOffer'] {
  return {
    bedId: 'a',
    bedName: 'Bed a',
    bedType: 'Detox',
    roomId: '1',
    roomName: 'House 1',
    offeredAt: inMinutes(-6),
    expiresAt: inMinutes(24),
    ...fields,
  };
}
