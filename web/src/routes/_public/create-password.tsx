import { createFileRoute } from '@tanstack/react-router';
import { requireFirstStep, requireStep } from '@/access/guards';
import { CreatePasswordForm } from '@/features/auth/components/create-password-form';
import { loadTexts } from '@/i18n/i18n';

export const Route = createFileRoute('/_public/create-password')({
  beforeLoad: async ({ context: { queryClient } }) => {
    requireStep(await requireFirstStep(queryClient), '/create-password');
  },
  loader: () => loadTexts('auth'),
  component: CreatePasswordForm,
});
