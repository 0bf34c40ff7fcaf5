import { createFileRoute } from '@tanstack/react-router';
import { TodayPageSkeleton } from '@/components/page-skeletons';
import { todayQuery } from '@/features/today/api/today-query';
import { todaySearch } from '@/features/today/today-search';
import { loadTexts } from '@/i18n/i18n';
import { TodayPage } from '@/pages/today-page';

/** The shift over all sites of the user; what is left out stands in the address. */
export const Route = createFileRoute('/_app/today')({
  staticData: { screen: 'today' },
  validateSearch: todaySearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient, user }, deps }) => {
    // The screen says itself when it cannot be loaded.
    void queryClient.prefetchQuery(todayQuery(user.isGlobal, deps));
    await loadTexts('today', 'reservations', 'guests', 'houses', 'catalog');
  },
  pendingComponent: TodayPageSkeleton,
  component: TodayRoute,
});

function TodayRoute() {
  return <TodayPage search={Route.useSearch()} />;
}
