import { createFileRoute, redirect } from '@tanstack/react-router';
import { payingOrganizations } from '@/features/cards/ui/paying-organizations';
import { organizationsQuery } from '@/features/organizations/api/organizations-query';

/** The link of the sidebar: to the cards of the first commercial organization that one owns; others go home. */
export const Route = createFileRoute('/_app/cards/')({
  staticData: { screen: 'cards', who: 'billing.sidebar' },
  loader: async ({ context: { queryClient, user } }) => {
    const organizations = await queryClient.ensureQueryData(organizationsQuery('organizations'));
    const first = payingOrganizations(user, organizations)[0];
    if (!first) throw redirect({ to: '/', replace: true });
    throw redirect({ to: '/cards/$organizationId', params: { organizationId: first.id }, replace: true });
  },
});
