import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import { lazyDialog } from '@/components/lazy-named';
import { PageHeader } from '@/components/page-header';
import { organizationQuery } from '../api/organization-query';
import { InsurersTable } from './insurers-table';
import { useOrganizationCrumbs } from '../ui/use-organization-crumbs';
import type { OrganizationType } from '@/lib/organization-types';

const AddInsurersDialog = lazyDialog(() => import('./add-insurers-dialog'), 'AddInsurersDialog');

interface OrganizationInsurersPageProps {
  organizationId: string;
  type: OrganizationType;
}

/** The insurers that the sites of a commercial organization work with (spec B section 2). */
export function OrganizationInsurersPage({ organizationId, type }: OrganizationInsurersPageProps) {
  const { t } = useTranslation('organizations');
  const { data: organization } = useSuspenseQuery(organizationQuery(organizationId));
  const canEdit = useCan('organization.linkInsurers', { organization });
  const [isAdding, setIsAdding] = useState(false);
  const add = canEdit ? (
    <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('insurers.add')}
    </Button>
  ) : null;
  const isEmpty = organization.insuranceCompanies.length === 0;
  const crumbs = useOrganizationCrumbs(type, organization, t('insurers.title'));
  return (
    <>
      <PageHeader
        title={t('insurers.title')}
        documentTitle={`${t('insurers.title')} · ${organization.name}`}
        breadcrumbs={crumbs}
        actions={isEmpty ? null : add}
      />
      <InsurersTable organization={organization} canEdit={canEdit} emptyAction={add} />
      <AddInsurersDialog subject={isAdding} organization={organization} onClose={() => setIsAdding(false)} />
    </>
  );
}
