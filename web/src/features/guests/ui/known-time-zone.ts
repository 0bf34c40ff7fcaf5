import type { QueryClient } from '@tanstack/react-query';
import type { Schemas } from '@/api/client';
import { siteQuery } from '@/features/sites/api/site-query';

/** Returns the time zone of a site that is on the screen: one that is loaded, else one of Today. Undefined if it is neither. */
export function knownTimeZone(queryClient: QueryClient, siteId: string): string | undefined {
  const site = queryClient.getQueryData(siteQuery(siteId).queryKey);
  if (site) return site.timeZone;
  const lists = queryClient.getQueriesData<Schemas['Today']>({ queryKey: ['today'] });
  const places = lists.flatMap(([, today]) =>
    today ? [...today.waiting, ...today.arriving, ...today.soon, ...today.moves].map((entry) => entry.site) : [],
  );
  return places.find(({ id }) => id === siteId)?.timeZone;
}
