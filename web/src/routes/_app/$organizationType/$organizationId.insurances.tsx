import { createFileRoute, redirect } from '@tanstack/react-router';
import { orNotFound } from '@/api/or-not-found';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { loadTexts } from '@/i18n/i18n';
import { organizationKindRedirect, parseOrganizationType } from '@/lib/organization-types';
import { OrganizationInsurersPage } from '@/pages/organization-insurers-page';

/** The insurers of an organization; a non-commercial one has none and leads to the list (spec B section 2). */
export const Route = createFileRoute('/_app/$organizationType/$organizationId/insurances')({
  loader: async ({ context: { queryClient }, params, location }) => {
    const type = parseOrganizationType(params.organizationType) ?? 'organizations';
    const [organization] = await Promise.all([
      orNotFound(queryClient.ensureQueryData(organizationQuery(params.organizationId))),
      loadTexts('organizations'),
    ]);
    if (!organization.isCommercial) {
      throw redirect({ to: '/$organizationType', params: { organizationType: type }, replace: true });
    }
    const target = organizationKindRedirect(location.href, organization.isCommercial);
    if (target !== undefined) throw redirect({ href: target, replace: true });
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
