import { createFileRoute } from '@tanstack/react-router';
import { CardsPageSkeleton } from '@/components/page-skeletons';
import { organizationsQuery } from '@/features/organizations/api/organizations-query';
import { todayQuery } from '@/features/today/api/today-query';
import { loadTexts } from '@/i18n/i18n';
import { parseOrganizationType } from '@/lib/organization-types';
import { OrganizationsPage } from '@/pages/organizations-page';

export const Route = createFileRoute('/_app/$organizationType/')({
  staticData: { screen: 'list' },
  loader: async ({ context: { queryClient, user }, params }) => {
    const type = parseOrganizationType(params.organizationType) ?? 'organizations';
    // No screen waits for it.
    if (type === 'organizations' && !user.isGlobal) void queryClient.prefetchQuery(todayQuery(false, {}));
    await Promise.all([queryClient.ensureQueryData(organizationsQuery(type)), loadTexts('organizations')]);
    return { type };
  },
  pendingComponent: CardsPageSkeleton,
  component: OrganizationsRoute,
});

function OrganizationsRoute() {
  return <OrganizationsPage type={Route.useLoaderData().type} />;
}
