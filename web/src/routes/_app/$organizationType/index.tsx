import { createFileRoute } from '@tanstack/react-router';
import { CardsPageSkeleton } from '@/components/page-skeletons';
import { organizationsQuery } from '@/features/organizations/api/organizations-query';
import { loadTexts } from '@/i18n/i18n';
import { parseOrganizationType } from '@/lib/organization-types';
import { OrganizationsPage } from '@/pages/organizations-page';

export const Route = createFileRoute('/_app/$organizationType/')({
  staticData: { screen: 'list' },
  loader: async ({ context: { queryClient }, params }) => {
    const type = parseOrganizationType(params.organizationType) ?? 'organizations';
    await Promise.all([queryClient.ensureQueryData(organizationsQuery(type)), loadTexts('organizations')]);
    return { type };
  },
  pendingComponent: CardsPageSkeleton,
  component: OrganizationsRoute,
});

function OrganizationsRoute() {
  return <OrganizationsPage type={Route.useLoaderData().type} />;
}
