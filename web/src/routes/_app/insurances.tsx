import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { CardsPageSkeleton } from '@/components/page-skeletons';
import { insurersQuery } from '@/features/insurers/api/insurers-query';
import { insurersDefaults, insurersSearch } from '@/features/insurers/insurers-search';
import { loadTexts } from '@/i18n/i18n';
import { InsurersPage } from '@/features/insurers/components/insurers-page';

/** The insurance companies of the platform; who is no global admin goes to the start page (spec B section 6). */
export const Route = createFileRoute('/_app/insurances')({
  staticData: { screen: 'allInsurers', who: 'insurers.edit' },
  validateSearch: insurersSearch,
  search: { middlewares: [stripSearchParams(insurersDefaults)] },
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(insurersQuery), loadTexts('insurers')]),
  pendingComponent: CardsPageSkeleton,
  component: InsurersRoute,
});

function InsurersRoute() {
  return <InsurersPage search={Route.useSearch()} />;
}
