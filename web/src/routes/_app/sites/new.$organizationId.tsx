import { createFileRoute, redirect } from '@tanstack/react-router';
import { can } from '@/access/can';
import { orNotFound } from '@/api/or-not-found';
import { FormPageSkeleton } from '@/components/page-skeletons';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { languagesQuery, screeningPeriodsQuery } from '@/features/site-form/api/choices-query';
import { servicesQuery } from '@/features/sites/api/services-query';
import { loadTexts } from '@/i18n/i18n';
import { NewSitePage } from '@/pages/new-site-page';

/** For those who manage the organization; others are led home (spec A section 6). */
export const Route = createFileRoute('/_app/sites/new/$organizationId')({
  staticData: { screen: 'newSite' },
  loader: async ({ context: { queryClient, user }, params }) => {
    const [organization] = await Promise.all([
      orNotFound(queryClient.ensureQueryData(organizationQuery(params.organizationId))),
      queryClient.ensureQueryData(languagesQuery),
      queryClient.ensureQueryData(screeningPeriodsQuery),
      loadTexts('site-form', 'organizations', 'catalog'),
    ]);
    if (!can(user, 'site.create', { organization })) throw redirect({ to: '/', replace: true });
    await queryClient.ensureQueryData(servicesQuery(organization.isCommercial));
  },
  pendingComponent: FormPageSkeleton,
  component: NewSiteRoute,
});

function NewSiteRoute() {
  return <NewSitePage organizationId={Route.useParams().organizationId} />;
}
