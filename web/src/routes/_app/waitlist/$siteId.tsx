import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { orNotFound } from '@/api/or-not-found';
import { SitePageSkeleton } from '@/components/page-skeletons';
import { siteQuery } from '@/features/sites/api/site-query';
import { loadTexts } from '@/i18n/i18n';
import { idSearchField, searchField } from '@/lib/search-field';
import { WaitlistPage } from '@/pages/waitlist-page';

/** What stands over the list: the form for a person who is to wait, or that of a person who waits. */
const search = z.object({ open: searchField(z.enum(['add'])), edit: idSearchField });

export const Route = createFileRoute('/_app/waitlist/$siteId')({
  staticData: { screen: 'reservations' },
  validateSearch: search,
  loader: async ({ context: { queryClient }, params }) => {
    await Promise.all([
      orNotFound(queryClient.ensureQueryData(siteQuery(params.siteId))),
      loadTexts('sites', 'houses', 'guests', 'reservations', 'catalog'),
    ]);
  },
  pendingComponent: SitePageSkeleton,
  component: WaitlistRoute,
});

function WaitlistRoute() {
  const { open, edit } = Route.useSearch();
  return (
    <WaitlistPage siteId={Route.useParams().siteId} isAdding={open === 'add' && edit === undefined} edited={edit} />
  );
}
