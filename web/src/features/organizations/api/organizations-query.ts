import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import type { OrganizationType } from '@/lib/organization-types';
import { organizationKeys } from './keys';

const SITE_TYPE: Record<OrganizationType, 'commercial' | 'nonCommercial' | undefined> = {
  organizations: undefined,
  'free-rehabs': 'nonCommercial',
  'paid-rehabs': 'commercial',
};

/** The organizations of a list, by name (spec A section 7). */
export function organizationsQuery(type: OrganizationType) {
  const siteType = SITE_TYPE[type];
  return queryOptions({
    queryKey: organizationKeys.list(type),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Organizations', { params: { query: siteType ? { SiteType: siteType } : {} }, signal })),
  });
}
