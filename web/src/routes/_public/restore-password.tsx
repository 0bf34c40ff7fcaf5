import { createFileRoute } from '@tanstack/react-router';
import { requireSignedOut } from '@/access/guards';
import { RestorePasswordForm } from '@/features/auth/components/restore-password-form';
import { loadTexts } from '@/i18n/i18n';

export const Route = createFileRoute('/_public/restore-password')({
  beforeLoad: ({ context: { queryClient }, preload }) => requireSignedOut(queryClient, preload),
  loader: () => loadTexts('account', 'auth'),
  component: RestorePasswordForm,
});
