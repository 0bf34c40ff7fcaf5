import { createFileRoute } from '@tanstack/react-router';
import { orNotFound } from '@/api/or-not-found';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { summaryQuery } from '@/features/billing/api/subscriptions';
import { waitingSearch } from '@/features/cards/ui/waiting-reservation.utils';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { loadTexts } from '@/i18n/i18n';
import { BillingPage } from '@/pages/billing-page';

/** Subscriptions and invoices of an organization, for its owners and global admins; others go home (spec B section 2). */
export const Route = createFileRoute('/_app/payment-details/$organizationId')({
  staticData: { screen: 'billing', who: 'billing.open' },
  validateSearch: waitingSearch,
  loader: async ({ context: { queryClient }, params: { organizationId } }) => {
    const [organization] = await Promise.all([
      orNotFound(queryClient.ensureQueryData(organizationQuery(organizationId))),
      loadTexts('billing', 'cards', 'organizations'),
    ]);
    // The page shows that they load, and what went wrong.
    if (organization.isCommercial) void queryClient.prefetchQuery(summaryQuery(organizationId));
  },
  pendingComponent: TablePageSkeleton,
  component: BillingRoute,
});

function BillingRoute() {
  const { organizationId } = Route.useParams();
  const { reservation, subscribe } = Route.useSearch();
  return (
    <BillingPage key={organizationId} organizationId={organizationId} reservation={reservation} subscribe={subscribe} />
  );
}
