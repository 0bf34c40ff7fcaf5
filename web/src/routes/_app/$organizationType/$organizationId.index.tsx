import { createFileRoute } from '@tanstack/react-router';
import { orNotFound } from '@/api/or-not-found';
import { CardsPageSkeleton } from '@/components/page-skeletons';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { loadTexts } from '@/i18n/i18n';
import { parseOrganizationType } from '@/lib/organization-types';
import { OrganizationPage } from '@/pages/organization-page';

export const Route = createFileRoute('/_app/$organizationType/$organizationId/')({
  loader: async ({ context: { queryClient }, params }) => {
    void queryClient.prefetchQuery(sitesQuery(params.organizationId));
    await Promise.all([
      orNotFound(queryClient.ensureQueryData(organizationQuery(params.organizationId))),
      loadTexts('organizations', 'sites'),
    ]);
    return { type: parseOrganizationType(params.organizationType) ?? 'organizations' };
  },
  pendingComponent: CardsPageSkeleton,
  component: OrganizationRoute,
});

function OrganizationRoute() {
  return <OrganizationPage organizationId={Route.useParams().organizationId} type={Route.useLoaderData().type} />;
}
