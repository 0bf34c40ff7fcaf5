import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { PageHeader } from '@/components/page-header';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { SiteWizard } from '@/features/site-form/components/site-wizard';
import { organizationTypeFor } from '@/lib/organization-types';

/** The wizard for a new site below its organization (spec A section 2). */
export function NewSitePage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation(['site-form', 'organizations']);
  const { isGlobal } = useUser();
  const { data: organization } = useSuspenseQuery(organizationQuery(organizationId));
  const type = organizationTypeFor(isGlobal, organization.isCommercial);
  return (
    <>
      <PageHeader
        title={t('titleNew')}
        breadcrumbs={[
          {
            label: t(`organizations:title.${type}`),
            link: { to: '/$organizationType', params: { organizationType: type } },
          },
          {
            label: organization.name,
            link: { to: '/$organizationType/$organizationId', params: { organizationType: type, organizationId } },
          },
          { label: t('titleNew') },
        ]}
      />
      <SiteWizard key={organizationId} organization={organization} type={type} />
    </>
  );
}
