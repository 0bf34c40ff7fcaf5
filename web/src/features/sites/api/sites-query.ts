import { queryOptions } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { siteKeys } from './keys';

/** The largest page the server gives (DESIGN section 6, paging). */
const PAGE_SIZE = 300;

async function loadSites(
  organizationId: string | null,
  signal: AbortSignal,
): Promise<readonly Schemas['SiteSummary'][]> {
  const sites: Schemas['SiteSummary'][] = [];
  for (let page = 1; ; page += 1) {
    const query = { PageNumber: page, PageSize: PAGE_SIZE, ...(organizationId ? { organizationId } : {}) };
    // The next page is only known to exist from this one.
    // oxlint-disable-next-line no-await-in-loop
    const answer = await unwrap(client.GET('/api/Sites', { params: { query }, signal }));
    sites.push(...answer.items);
    if (!answer.hasNextPage) return sites;
  }
}

/** The sites the user may see, by name; of one organization when it is given. */
export function sitesQuery(organizationId: string | null = null) {
  return queryOptions({
    queryKey: siteKeys.list(organizationId),
    queryFn: ({ signal }) => loadSites(organizationId, signal),
  });
}
