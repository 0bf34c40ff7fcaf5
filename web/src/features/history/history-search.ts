import * as z from 'zod/mini';
import type { TableSearch } from '@/components/data-table/data-table.types';
import { idSearchField } from '@/lib/search-field';
import type { HistoryList } from './history.utils';

const page = z.catch(z._default(z.int().check(z.minimum(0)), 0), 0);

/**
 * What the address remembers of the history beside size and density of its tables: the page of each list, and the guest
 * who is open. The name that is searched for stays out of it. Spread the fields into the route's own schema.
 */
export const historySearchFields = {
  accepted: page,
  discharged: page,
  declined: page,
  expired: page,
  /** Id of the guest in the side panel. */
  panel: idSearchField,
  /** Id of the guest whose details are open. */
  guest: idSearchField,
};

/** For `stripSearchParams`. */
export const historyDefaults = { accepted: 0, discharged: 0, declined: 0, expired: 0 } as const;

/** What the address remembers of the history. */
export interface HistorySearch extends Record<HistoryList, number>, Pick<TableSearch, 'size' | 'dense'> {
  panel?: string;
  guest?: string;
}
