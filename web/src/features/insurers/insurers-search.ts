import * as z from 'zod/mini';

/** What the address remembers of the list; wrong values fall back. */
export const insurersSearch = z.object({
  /** From 1. */
  page: z.catch(z._default(z.int().check(z.minimum(1)), 1), 1),
  // The address reads a number in "714": what is searched for is text all the same.
  search: z.catch(
    z._default(z.pipe(z.union([z.string().check(z.maxLength(100)), z.number()]), z.transform(String)), ''),
    '',
  ),
});
export type InsurersSearch = z.infer<typeof insurersSearch>;

/** What the address does not show, since it goes without saying. */
export const insurersDefaults = { page: 1, search: '' } as const;
