import * as z from 'zod/mini';
import { idSearchField, searchField } from '@/lib/search-field';
import { PAYERS } from './api/today-query';

/** An id of the catalog, such as `medical-detox`; anything else is left out. */
const code = searchField(z.string().check(z.regex(/^[A-Za-z0-9-]{1,60}$/)));

/** What the address remembers of Today; wrong values fall back. */
export const todaySearch = z.object({
  siteId: idSearchField,
  service: code,
  payer: searchField(z.enum(PAYERS)),
});
