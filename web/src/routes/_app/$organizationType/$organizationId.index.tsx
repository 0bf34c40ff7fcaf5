import { createFileRoute, redirect } from '@tanstack/react-router';
import { orNotFound } from '@/api/or-not-found';
import { CardsPageSkeleton } from '@/components/page-skeletons';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { loadTexts } from '@/i18n/i18n';
import { organizationKindRedirect, parseOrganizationType } from '@/lib/organization-types';
import { OrganizationPage } from '@/pages/organization-page';

/** An organization with its sites; below the list of the other kind it leads to its own (spec A section 2). */
export const Route = createFileRoute('/_app/$organizationType/$organizationId/')({
  loader: async ({ context: { queryClient }, params, location }) => {
    void queryClient.prefetchQuery(sitesQuery(params.organizationId));
    const [organization] = await Promise.all([
      orNotFound(queryClient.ensureQueryData(organizationQuery(params.organizationId))),
      loadTexts('organizations', 'sites'),
    ]);
    const target = organizationKindRedirect(location.href, organization.isCommercial);
    if (target !== undefined) throw redirect({ href: target, replace: true });
    return { type: parseOrganizationType(params.organizationType) ?? 'organizations' };
  },
  pendingComponent: CardsPageSkeleton,
  component: OrganizationRoute,
});

function OrganizationRoute() {
  return <OrganizationPage organizationId={Route.useParams().organizationId} type={Route.useLoaderData().type} />;
}
