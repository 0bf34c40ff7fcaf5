import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { numbersSearchFields } from '@/features/numbers/numbers-search';
import { loadOrganization } from '@/features/organizations/load-organization';
import { OrganizationNumbersPage } from '@/pages/organization-numbers-page';

/** The numbers of an organization. */
export const Route = createFileRoute('/_app/$organizationType/$organizationId/numbers')({
  staticData: { screen: 'numbers' },
  validateSearch: z.object(numbersSearchFields),
  loader: (args) => loadOrganization(args),
  pendingComponent: TablePageSkeleton,
  component: OrganizationNumbersRoute,
});

function OrganizationNumbersRoute() {
  return (
    <OrganizationNumbersPage
      organizationId={Route.useParams().organizationId}
      type={Route.useLoaderData().type}
      search={Route.useSearch()}
    />
  );
}
