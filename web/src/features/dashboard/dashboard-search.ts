import * as z from 'zod/mini';
import { tableDefaults, tableSearchFields } from '@/components/data-table/table-search';
import { idSearchField } from '@/lib/search-field';

/** The three lists (spec A section 2, Platform dashboard). */
export const DASHBOARD_TABS = ['users', 'organizations', 'sites'] as const;

/** Where users are searched. */
export const USER_FIELDS = ['firstName', 'lastName', 'email', 'role'] as const;

/** What the address remembers of the dashboard; wrong values fall back. */
export const dashboardSearch = z.object({
  ...tableSearchFields,
  tab: z.catch(z._default(z.enum(DASHBOARD_TABS), 'users'), 'users'),
  field: z.catch(z._default(z.enum(USER_FIELDS), 'firstName'), 'firstName'),
  // The address reads a number in "714": what is searched for is text all the same.
  search: z.catch(
    z.optional(z.pipe(z.union([z.string().check(z.maxLength(100)), z.number()]), z.transform(String))),
    undefined,
  ),
  open: idSearchField,
});

/** What the address does not show, since it goes without saying. */
export const dashboardDefaults = { ...tableDefaults, tab: 'users', field: 'firstName' } as const;
