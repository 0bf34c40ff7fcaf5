import { createFileRoute, redirect } from '@tanstack/react-router';
import { can } from '@/access/can';
import { orNotFound } from '@/api/or-not-found';
import { FormPageSkeleton } from '@/components/page-skeletons';
import { languagesQuery, screeningPeriodsQuery } from '@/features/site-form/api/choices-query';
import { servicesQuery } from '@/features/sites/api/services-query';
import { siteQuery } from '@/features/sites/api/site-query';
import { loadTexts } from '@/i18n/i18n';
import { SiteEditPage } from '@/pages/site-edit-page';

/** Intake and staff of the site are led to the sites list (spec A section 2). */
export const Route = createFileRoute('/_app/sites/$siteId/edit')({
  staticData: { screen: 'siteEdit' },
  loader: async ({ context: { queryClient, user }, params }) => {
    const [site] = await Promise.all([
      orNotFound(queryClient.ensureQueryData(siteQuery(params.siteId))),
      queryClient.ensureQueryData(languagesQuery),
      queryClient.ensureQueryData(screeningPeriodsQuery),
      loadTexts('site-form', 'sites', 'catalog'),
    ]);
    if (!can(user, 'site.edit', { site })) throw redirect({ to: '/sites', replace: true });
    await queryClient.ensureQueryData(servicesQuery(site.isCommercial));
  },
  pendingComponent: FormPageSkeleton,
  component: SiteEditRoute,
});

function SiteEditRoute() {
  return <SiteEditPage siteId={Route.useParams().siteId} />;
}
