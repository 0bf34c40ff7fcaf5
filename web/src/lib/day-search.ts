import * as z from 'zod/mini';

/** A day in an address, such as `2026-12-01`; anything else is left out. Whether there is such a day, the server decides. */
export const daySearchField = z.catch(z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))), undefined);
