import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** The services of a kind of site in their groups; the server's catalogue changes only with a new version. */
export function servicesQuery(isCommercial: boolean) {
  return queryOptions({
    queryKey: ['services', isCommercial ? 'commercial' : 'nonCommercial'] as const,
    queryFn: ({ signal }) =>
      isCommercial
        ? unwrap(client.GET('/api/SiteServices/commercial', { signal }))
        : unwrap(client.GET('/api/SiteServices/nonCommercial', { signal })),
    staleTime: Infinity,
  });
}
