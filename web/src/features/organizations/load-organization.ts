import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { orNotFound } from '@/api/or-not-found';
import { organizationQuery } from './api/organization-query';
import { loadTexts, type Namespace } from '@/i18n/i18n';
import { organizationKindRedirect, type OrganizationType, parseOrganizationType } from '@/lib/organization-types';

interface LoaderArgs {
  context: { queryClient: QueryClient };
  params: { organizationType: string; organizationId: string };
  location: { href: string };
}

/** Loads an organization for a screen of its own; below the list of the other kind it leads to its own (spec A section 2). */
export async function loadOrganization(
  { context: { queryClient }, params, location }: LoaderArgs,
  ...texts: Namespace[]
): Promise<{ type: OrganizationType; isCommercial: boolean }> {
  const [organization] = await Promise.all([
    orNotFound(queryClient.ensureQueryData(organizationQuery(params.organizationId))),
    loadTexts('organizations', ...texts),
  ]);
  const target = organizationKindRedirect(location.href, organization.isCommercial);
  if (target !== undefined) throw redirect({ href: target, replace: true });
  const type = parseOrganizationType(params.organizationType) ?? 'organizations';
  return { type, isCommercial: organization.isCommercial };
}
