import { createFileRoute, notFound } from '@tanstack/react-router';
import { orNotFound } from '@/api/or-not-found';
import { GuestPageSkeleton } from '@/components/page-skeletons';
import { guestQuery } from '@/features/guests/api/guest-query';
import { siteQuery } from '@/features/sites/api/site-query';
import { loadTexts } from '@/i18n/i18n';
import { GuestPage } from '@/pages/guest-page';

export const Route = createFileRoute('/_app/reservations/guest/$siteId/$guestId')({
  staticData: { screen: 'guest' },
  loader: async ({ context: { queryClient }, params }) => {
    const [guest, site] = await Promise.all([
      orNotFound(queryClient.ensureQueryData(guestQuery(params.guestId))),
      orNotFound(queryClient.ensureQueryData(siteQuery(params.siteId))),
      loadTexts('guests', 'houses', 'reservations', 'catalog'),
    ]);
    if (guest.siteId !== site.id) throw notFound();
  },
  pendingComponent: GuestPageSkeleton,
  component: GuestRoute,
});

function GuestRoute() {
  return <GuestPage {...Route.useParams()} />;
}
