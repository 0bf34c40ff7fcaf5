import { createFileRoute } from '@tanstack/react-router';
import { loadTexts } from '@/i18n/i18n';
import { ProfilePage } from '@/pages/profile-page';

export const Route = createFileRoute('/_app/user-settings')({
  loader: () => loadTexts('account', 'auth'),
  component: ProfilePage,
});
