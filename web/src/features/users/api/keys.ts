import type { QueryClient } from '@tanstack/react-query';

/** The word in every key of a list of access users, whoever made it. */
const WORD = 'access-users';

/** Keys of access users. Those of a site start with `['sites', siteId]`, as everything of a site does. */
export const accessUserKeys = {
  ofSite: (siteId: string) => ['sites', siteId, WORD] as const,
};

/** Makes every list of access users old, also those of other screens: one person may stand in several. */
export function refreshAccessUsers(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(WORD) });
}
