import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { PageHeader } from '@/components/page-header';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { useOrganizationCrumbs } from '@/features/organizations/ui/use-organization-crumbs';
import { SiteWizard } from '@/features/site-form/components/site-wizard';
import { organizationTypeFor } from '@/lib/organization-types';

/** The wizard for a new site below its organization (spec A section 2). */
export function NewSitePage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('site-form');
  const { isGlobal } = useUser();
  const { data: organization } = useSuspenseQuery(organizationQuery(organizationId));
  const type = organizationTypeFor(isGlobal, organization.isCommercial);
  const crumbs = useOrganizationCrumbs(type, organization, t('titleNew'));
  return (
    <>
      <PageHeader title={t('titleNew')} breadcrumbs={crumbs} />
      <SiteWizard key={organizationId} organization={organization} type={type} />
    </>
  );
}
