import { createFileRoute, useLocation } from '@tanstack/react-router';
import { requireFirstStep, requireStep } from '@/access/guards';
import { CodeForm } from '@/features/auth/components/code-form';
import { loadTexts } from '@/i18n/i18n';

export const Route = createFileRoute('/_public/two-factor-confirm')({
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const user = await requireFirstStep(queryClient);
    // At set-up the phone is not known yet; the screen before says that a code is on its way.
    if (!location.state.signIn?.newPhone) requireStep(user, '/two-factor-confirm');
    return { hasTotp: user.hasTotp };
  },
  loader: async ({ context: { hasTotp } }) => {
    await loadTexts('auth');
    return { hasTotp };
  },
  component: ConfirmRoute,
});

function ConfirmRoute() {
  return <CodeForm state={useLocation().state.signIn ?? {}} hasTotp={Route.useLoaderData().hasTotp} />;
}
