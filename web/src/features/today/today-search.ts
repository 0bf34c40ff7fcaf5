import * as z from 'zod/mini';
import { PAYERS } from './api/today-query';

/** An id of the catalog, such as `medical-detox`; anything else is left out. */
const code = z.catch(z.optional(z.string().check(z.regex(/^[A-Za-z0-9-]{1,60}$/))), undefined);

/** What the address remembers of Today; wrong values fall back. */
export const todaySearch = z.object({
  siteId: z.catch(z.optional(z.uuid()), undefined),
  service: code,
  payer: z.catch(z.optional(z.enum(PAYERS)), undefined),
});
