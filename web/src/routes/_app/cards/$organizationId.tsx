import { createFileRoute } from '@tanstack/react-router';
import { orNotFound } from '@/api/or-not-found';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { cardsQuery } from '@/features/cards/api/cards-query';
import { waitingSearch } from '@/features/cards/ui/waiting-reservation.utils';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { loadTexts } from '@/i18n/i18n';
import { CardsPage } from '@/pages/cards-page';

/** The saved cards of an organization; for its owners and global admins, others go home (spec B section 2). */
export const Route = createFileRoute('/_app/cards/$organizationId')({
  staticData: { screen: 'cards', who: 'billing.open' },
  validateSearch: waitingSearch,
  loader: async ({ context: { queryClient }, params: { organizationId } }) => {
    const [organization] = await Promise.all([
      orNotFound(queryClient.ensureQueryData(organizationQuery(organizationId))),
      loadTexts('cards', 'organizations'),
    ]);
    // The page shows that they load, and what went wrong.
    if (organization.isCommercial) void queryClient.prefetchQuery(cardsQuery(organizationId));
  },
  pendingComponent: TablePageSkeleton,
  component: CardsRoute,
});

function CardsRoute() {
  const { organizationId } = Route.useParams();
  const { reservation, subscribe } = Route.useSearch();
  return (
    <CardsPage key={organizationId} organizationId={organizationId} reservation={reservation} subscribe={subscribe} />
  );
}
