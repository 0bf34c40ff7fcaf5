import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { orNotFound } from '@/api/or-not-found';
import { SitePageSkeleton } from '@/components/page-skeletons';
import { siteQuery } from '@/features/sites/api/site-query';
import { waitlistQuery } from '@/features/waitlist/api/waitlist-query';
import { loadTexts } from '@/i18n/i18n';
import { WaitlistPage } from '@/pages/waitlist-page';

const search = z.object({
  /** What stands over the list: the form for a person who is to wait. */
  open: z.catch(z.optional(z.enum(['add'])), undefined),
});

export const Route = createFileRoute('/_app/waitlist/$siteId')({
  staticData: { screen: 'reservations' },
  validateSearch: search,
  loader: async ({ context: { queryClient }, params }) => {
    void queryClient.prefetchQuery(waitlistQuery(params.siteId));
    await Promise.all([
      orNotFound(queryClient.ensureQueryData(siteQuery(params.siteId))),
      loadTexts('sites', 'waitlist', 'houses', 'guests', 'catalog'),
    ]);
  },
  pendingComponent: SitePageSkeleton,
  component: WaitlistRoute,
});

function WaitlistRoute() {
  return <WaitlistPage siteId={Route.useParams().siteId} isAdding={Route.useSearch().open === 'add'} />;
}
