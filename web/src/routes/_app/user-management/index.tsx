import { createFileRoute } from '@tanstack/react-router';
import { CardsPageSkeleton } from '@/components/page-skeletons';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { loadTexts } from '@/i18n/i18n';
import { ManagedSitesPage } from '@/features/sites/components/managed-sites-page';

export const Route = createFileRoute('/_app/user-management/')({
  staticData: { screen: 'managedSites' },
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(sitesQuery()), loadTexts('users', 'sites')]),
  pendingComponent: CardsPageSkeleton,
  component: ManagedSitesPage,
});
