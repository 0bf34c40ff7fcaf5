import { createFileRoute } from '@tanstack/react-router';
import { SignupCheckEmail } from '@/features/auth/components/signup-check-email';
import { loadTexts } from '@/i18n/i18n';

export const Route = createFileRoute('/_public/signup-check-email')({
  loader: () => loadTexts('account', 'auth'),
  component: SignupCheckEmail,
});
