import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router';
import { can } from '@/access/can';
import { CardsPageSkeleton } from '@/components/page-skeletons';
import { insurersQuery } from '@/features/insurers/api/insurers-query';
import { insurersDefaults, insurersSearch } from '@/features/insurers/insurers-search';
import { loadTexts } from '@/i18n/i18n';
import { InsurersPage } from '@/features/insurers/components/insurers-page';

/** The insurance companies of the platform; who is no global admin goes to the start page (spec B section 6). */
export const Route = createFileRoute('/_app/insurances')({
  staticData: { screen: 'allInsurers' },
  validateSearch: insurersSearch,
  search: { middlewares: [stripSearchParams(insurersDefaults)] },
  beforeLoad: ({ context: { user } }) => {
    if (!can(user, 'insurers.edit')) throw redirect({ to: '/', replace: true });
  },
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(insurersQuery), loadTexts('insurers')]),
  pendingComponent: CardsPageSkeleton,
  component: InsurersRoute,
});

function InsurersRoute() {
  return <InsurersPage search={Route.useSearch()} />;
}
