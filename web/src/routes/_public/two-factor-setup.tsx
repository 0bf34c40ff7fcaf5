import { createFileRoute, useLocation } from '@tanstack/react-router';
import { requireFirstStep, requireStep } from '@/access/guards';
import { PhoneForm } from '@/features/auth/components/phone-form';
import { loadTexts } from '@/i18n/i18n';

export const Route = createFileRoute('/_public/two-factor-setup')({
  beforeLoad: async ({ context: { queryClient } }) => {
    requireStep(await requireFirstStep(queryClient), '/two-factor-setup');
  },
  loader: () => loadTexts('auth'),
  component: SetupRoute,
});

function SetupRoute() {
  return <PhoneForm returnTo={useLocation().state.signIn?.returnTo} />;
}
