import { createFileRoute } from '@tanstack/react-router';
import { FormPageSkeleton } from '@/components/page-skeletons';
import { loadTexts } from '@/i18n/i18n';
import { InvitationsPage } from '@/features/invitations/components/invitations-page';

export const Route = createFileRoute('/_app/invitations')({
  staticData: { screen: 'invitations' },
  loader: () => loadTexts('account', 'users'),
  pendingComponent: FormPageSkeleton,
  component: InvitationsPage,
});
