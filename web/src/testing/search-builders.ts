import type { Schemas } from '@/api/client';

const ORGANIZATION = '0190a000-0000-7000-8000-000000000010';

/** A guest whom a search found: pending at Harbor House, with a phone number. */
export function foundGuest(fields: Partial<Schemas['FoundGuest']> = {}): Schemas['FoundGuest'] {
  return {
    id: '0190a000-0000-7000-8000-000000000071',
    displayName: 'Maria G. K7M2QX',
    code: 'K7M2QX',
    status: 'pending',
    cancelledAt: null,
    isArriving: false,
    noShowAt: null,
    siteId: '0190a000-0000-7000-8000-000000000020',
    siteName: 'Harbor House',
    organizationId: ORGANIZATION,
    isCommercial: true,
    phone: '+17145550134',
    ...fields,
  };
}

/** A site that a search found. */
export function foundSite(fields: Partial<Schemas['FoundSite']> = {}): Schemas['FoundSite'] {
  return {
    id: '0190a000-0000-7000-8000-000000000020',
    name: 'Harbor House',
    organizationId: ORGANIZATION,
    organizationName: 'Harbor Recovery',
    isCommercial: true,
    available: 3,
    ...fields,
  };
}

/** What a search found: nothing, except for `fields`. */
export function searchResults(fields: Partial<Schemas['SearchResults']> = {}): Schemas['SearchResults'] {
  return { guests: [], waiting: [], sites: [], organizations: [], users: [], ...fields };
}
