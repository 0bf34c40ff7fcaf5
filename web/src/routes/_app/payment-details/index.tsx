import { createFileRoute, redirect } from '@tanstack/react-router';
import { payingOrganizations } from '@/features/cards/ui/paying-organizations';
import { organizationsQuery } from '@/features/organizations/api/organizations-query';

/** The Billing link of the sidebar: opens the first commercial organization that the user owns; others go home. */
export const Route = createFileRoute('/_app/payment-details/')({
  staticData: { screen: 'billing', who: 'billing.sidebar' },
  loader: async ({ context: { queryClient, user } }) => {
    const organizations = await queryClient.ensureQueryData(organizationsQuery('organizations'));
    const first = payingOrganizations(user, organizations)[0];
    if (!first) throw redirect({ to: '/', replace: true });
    throw redirect({ to: '/payment-details/$organizationId', params: { organizationId: first.id }, replace: true });
  },
});
