import { createFileRoute } from '@tanstack/react-router';
import { CardsPageSkeleton } from '@/components/page-skeletons';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { loadOrganization } from '@/features/organizations/load-organization';
import { OrganizationPage } from '@/pages/organization-page';

/** An organization with its sites (spec A section 2). */
export const Route = createFileRoute('/_app/$organizationType/$organizationId/')({
  staticData: { screen: 'organization' },
  loader: (args) => {
    void args.context.queryClient.prefetchQuery(sitesQuery(args.params.organizationId));
    return loadOrganization(args, 'sites');
  },
  pendingComponent: CardsPageSkeleton,
  component: OrganizationRoute,
});

function OrganizationRoute() {
  return <OrganizationPage organizationId={Route.useParams().organizationId} type={Route.useLoaderData().type} />;
}
