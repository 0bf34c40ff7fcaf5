/** What the address of the page holds: the search and the view. Never anything about a guest. */

/** Sites on a page of results. */
export const PAGE_SIZE = 20;

/** A search; an empty text is no condition. */
export interface Filters {
  place: string;
  bedType: string;
  age: string;
  gender: string;
  payer: string;
  language: string;
  /** Only places with free beds. */
  available: boolean;
  /** From 0. */
  page: number;
}

/** The search of a first visit. */
export const NO_FILTERS: Filters = {
  place: '',
  bedType: '',
  age: '',
  gender: '',
  payer: '',
  language: '',
  available: true,
  page: 0,
};

/** What the page shows. */
export type View = { name: 'search' } | { name: 'site' | 'reserve' | 'code'; siteId: string } | { name: 'reservation' };

/** A view and the search to go back to. */
export interface Address {
  view: View;
  filters: Filters;
}

const TEXTS = ['place', 'bedType', 'age', 'gender', 'payer', 'language'] as const;
const STEPS = ['reserve', 'code'] as const;

/** Reads the query of an address; what it does not know counts as absent. */
export function readAddress(query: string): Address {
  const params = new URLSearchParams(query);
  const filters = { ...NO_FILTERS, available: params.get('available') !== 'all' };
  for (const name of TEXTS) filters[name] = (params.get(name) ?? '').slice(0, 100);
  const page = Number(params.get('page') ?? '1') - 1;
  filters.page = Number.isSafeInteger(page) && page > 0 ? page : 0;
  return { view: readView(params), filters };
}

function readView(params: URLSearchParams): View {
  const siteId = params.get('site');
  if (siteId) return { name: STEPS.find((step) => step === params.get('step')) ?? 'site', siteId };
  return { name: params.has('reservation') ? 'reservation' : 'search' };
}

/** Writes the query of an address, with a question mark; empty for the first search. */
export function writeAddress({ view, filters }: Address): string {
  const params = new URLSearchParams();
  for (const name of TEXTS) if (filters[name] !== '') params.set(name, filters[name]);
  if (!filters.available) params.set('available', 'all');
  if (filters.page > 0) params.set('page', String(filters.page + 1));
  if ('siteId' in view) params.set('site', view.siteId);
  if (view.name === 'reserve' || view.name === 'code') params.set('step', view.name);
  if (view.name === 'reservation') params.set('reservation', '');
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}
