import { createFileRoute } from '@tanstack/react-router';
import { CardsPageSkeleton } from '@/components/page-skeletons';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { loadTexts } from '@/i18n/i18n';
import { SitesPage } from '@/features/sites/components/sites-page';

export const Route = createFileRoute('/_app/reservations/')({
  staticData: { screen: 'reservations' },
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(sitesQuery()), loadTexts('sites')]),
  pendingComponent: CardsPageSkeleton,
  component: () => <SitesPage kind="reservations" />,
});
