import * as z from 'zod/mini';
import { searchField } from '@/lib/search-field';

/** Page sizes of every table; the first is the default (spec A section 9), see `useTableLook`. */
export const PAGE_SIZES = [5, 10, 25, 100, 250] as const;

/** One of them. */
export type PageSize = (typeof PAGE_SIZES)[number];

/**
 * The part of a route's search that belongs to a table. Wrong values fall back to defaults, never to an error:
 * an address may come from anywhere. Page size and density are only there when they were chosen: without them, the table
 * has those that the user left it with. Spread the fields into the route's own schema.
 */
export const tableSearchFields = {
  page: z.catch(z._default(z.int().check(z.minimum(0)), 0), 0),
  size: searchField(z.literal(PAGE_SIZES)),
  sort: searchField(z.string().check(z.maxLength(40))),
  direction: z.catch(z._default(z.enum(['asc', 'desc']), 'asc'), 'asc'),
  dense: searchField(z.boolean()),
};

/** For `validateSearch` of a route that holds nothing but a table. */
export const tableSearch = z.object(tableSearchFields);

/** For `search.middlewares: [stripSearchParams(tableDefaults)]`: the address shows only what differs from these. */
export const tableDefaults = { page: 0, direction: 'asc' } as const;
