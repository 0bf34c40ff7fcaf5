import type { Schemas } from '@/api/client';
import type { AccessUser } from '@/features/users/api/types';

/** An organization with all ways to pay; `name` is its id, too. */
export function organization(name: string, fields: Partial<Schemas['Organization']> = {}): Schemas['Organization'] {
  return {
    id: name,
    name,
    logoPath: null,
    siteCount: 2,
    isCommercial: false,
    isDisabled: false,
    insuranceCompanies: [],
    reservationPaymentMethods: [
      { id: 1, name: 'Private pay', category: 'PrivatePay' },
      { id: 2, name: 'Insurance', category: 'Insurance' },
      { id: 3, name: 'Medicaid or No Insurance', category: 'MediCal' },
    ],
    createdAt: '2026-01-01T00:00:00.000Z',
    countOfBeds: 0,
    countOfVacantBeds: 0,
    countOfPending: 0,
    version: 1,
    ...fields,
  };
}

/** An active owner of bay whom the caller may do `may` to. */
export function owner(
  name: string,
  fields: Partial<AccessUser>,
  may: readonly ('edit' | 'remove' | 'disable' | 'resend')[],
): AccessUser {
  const mayDo = (what: (typeof may)[number]) => may.includes(what);
  return {
    id: `access-${name}`,
    user: { id: `user-${name}`, email: `${name}@test.example` },
    firstName: name,
    lastName: 'Test',
    role: 'Owner',
    membershipStatus: 'Active',
    receiveReservationTexts: true,
    organization: { id: 'bay', name: 'bay', isCommercial: false, logoPath: null, siteCount: 2 },
    siteId: null,
    siteName: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    version: 1,
    can: {
      edit: mayDo('edit'),
      rename: mayDo('edit'),
      remove: mayDo('remove'),
      disable: mayDo('disable'),
      resend: mayDo('resend'),
      roles: [],
    },
    ...fields,
  };
}
