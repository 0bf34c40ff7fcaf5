import { queryOptions, useQuery } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';

/** What every page needs before anyone signed in: support phone, moved address, version of the agreements. */
export const publicSettingsQuery = queryOptions({
  queryKey: ['public-settings'],
  queryFn: ({ signal }) => unwrap(client.GET('/api/public/settings', { signal })),
  staleTime: Infinity,
});

/** The settings once they are there; the frame of a page does not wait for them. */
export function usePublicSettings(): Schemas['PublicSettings'] | undefined {
  return useQuery(publicSettingsQuery).data;
}
