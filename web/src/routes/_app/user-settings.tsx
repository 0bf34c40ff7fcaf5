import { createFileRoute } from '@tanstack/react-router';
import { FormPageSkeleton } from '@/components/page-skeletons';
import { loadTexts } from '@/i18n/i18n';
import { ProfilePage } from '@/pages/profile-page';

export const Route = createFileRoute('/_app/user-settings')({
  staticData: { screen: 'profile' },
  loader: () => loadTexts('account', 'auth'),
  pendingComponent: FormPageSkeleton,
  component: ProfilePage,
});
