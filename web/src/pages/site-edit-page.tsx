import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { PageHeader } from '@/components/page-header';
import { SiteEdit } from '@/features/site-form/components/site-edit';
import { siteQuery } from '@/features/sites/api/site-query';
import { organizationTypeFor } from '@/lib/organization-types';

/** The data of one site, to be changed (spec A section 2, Site edit page). */
export function SiteEditPage({ siteId }: { siteId: string }) {
  const { t } = useTranslation('site-form');
  const { isGlobal } = useUser();
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  const type = organizationTypeFor(isGlobal, site.isCommercial);
  return (
    <>
      <Button
        variant="subtle"
        mb="xs"
        px="xs"
        leftSection={<ArrowLeft size={18} aria-hidden />}
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$organizationType/$organizationId/$siteId"
            params={{ organizationType: type, organizationId: site.organizationId, siteId }}
            search={{ tab: 'information' }}
          />
        )}
      >
        {t('edit.back')}
      </Button>
      <PageHeader title={`${t('titleEdit')}: ${site.name}`} />
      <SiteEdit key={siteId} site={site} type={type} />
    </>
  );
}
