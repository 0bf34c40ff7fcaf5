import { createFileRoute } from '@tanstack/react-router';
import { orNotFound } from '@/api/or-not-found';
import { GuestPageSkeleton } from '@/components/page-skeletons';
import { guestQuery } from '@/features/guests/api/guest-query';
import { siteQuery } from '@/features/sites/api/site-query';
import { loadTexts } from '@/i18n/i18n';
import { RequestPage } from '@/pages/request-page';

export const Route = createFileRoute('/_app/reservations-request/$guestId')({
  staticData: { screen: 'request' },
  loader: async ({ context: { queryClient }, params }) => {
    const texts = loadTexts('reservations', 'guests', 'houses', 'catalog');
    const guest = await orNotFound(queryClient.ensureQueryData(guestQuery(params.guestId)));
    await Promise.all([orNotFound(queryClient.ensureQueryData(siteQuery(guest.siteId))), texts]);
  },
  pendingComponent: GuestPageSkeleton,
  component: RequestRoute,
});

function RequestRoute() {
  return <RequestPage guestId={Route.useParams().guestId} />;
}
