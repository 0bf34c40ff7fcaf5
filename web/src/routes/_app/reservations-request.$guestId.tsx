import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { orNotFound } from '@/api/or-not-found';
import { GuestPageSkeleton } from '@/components/page-skeletons';
import { guestQuery } from '@/features/guests/api/guest-query';
import { siteQuery } from '@/features/sites/api/site-query';
import { loadTexts } from '@/i18n/i18n';
import { idSearchField } from '@/lib/search-field';
import { RequestPage } from '@/pages/request-page';

/** The bed that was chosen before the guest was added. */
const search = z.object({ bed: idSearchField });

export const Route = createFileRoute('/_app/reservations-request/$guestId')({
  staticData: { screen: 'request' },
  validateSearch: search,
  loader: async ({ context: { queryClient }, params }) => {
    const texts = loadTexts('reservations', 'guests', 'houses', 'catalog');
    const guest = await orNotFound(queryClient.ensureQueryData(guestQuery(params.guestId)));
    await Promise.all([orNotFound(queryClient.ensureQueryData(siteQuery(guest.siteId))), texts]);
  },
  pendingComponent: GuestPageSkeleton,
  component: RequestRoute,
});

function RequestRoute() {
  return <RequestPage guestId={Route.useParams().guestId} bedId={Route.useSearch().bed} />;
}
