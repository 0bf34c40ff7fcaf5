import { createFileRoute, redirect } from '@tanstack/react-router';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { loadOrganization } from '@/features/organizations/load-organization';
import { OrganizationInsurersPage } from '@/features/organizations/components/organization-insurers-page';

/** The insurers of an organization; a non-commercial one has none and leads to the list (spec B section 2). */
export const Route = createFileRoute('/_app/$organizationType/$organizationId/insurances')({
  staticData: { screen: 'insurers' },
  loader: async (args) => {
    const { type, isCommercial } = await loadOrganization(args);
    if (!isCommercial) throw redirect({ to: '/$organizationType', params: { organizationType: type }, replace: true });
    return { type };
  },
  pendingComponent: TablePageSkeleton,
  component: OrganizationInsurersRoute,
});

function OrganizationInsurersRoute() {
  return (
    <OrganizationInsurersPage organizationId={Route.useParams().organizationId} type={Route.useLoaderData().type} />
  );
}
