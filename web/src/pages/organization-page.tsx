import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChartColumn, ListChecks, Pencil, Plus, ShieldPlus, Trash2, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import { lazyDialog } from '@/components/lazy-named';
import { MenuButton } from '@/components/menu-button';
import { NameMark } from '@/components/name-mark';
import { PageHeader } from '@/components/page-header';
import { StatusBadge } from '@/components/status-badge';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { useOrganizationCrumbs } from '@/features/organizations/ui/use-organization-crumbs';
import type { OrganizationPageDialog } from '@/features/organizations/organizations.utils';
import type { OrganizationType } from '@/lib/organization-types';
import { OrganizationSites } from './organization-sites';

/** What stands over the page comes with the first use of it. */
const OrganizationPageDialogs = lazyDialog(
  () => import('@/features/organizations/components/organization-page-dialogs'),
  'OrganizationPageDialogs',
  { texts: ['users'] },
);

interface OrganizationPageProps {
  organizationId: string;
  type: OrganizationType;
}

/** One organization with its sites (spec A section 2, Organization detail). */
export function OrganizationPage({ organizationId, type }: OrganizationPageProps) {
  const { t } = useTranslation('organizations');
  const navigate = useNavigate();
  const { data: organization } = useSuspenseQuery(organizationQuery(organizationId));
  const canManage = useCan('organization.edit', { organization });
  const canCreateSite = useCan('site.create', { organization });
  const [dialog, setDialog] = useState<OrganizationPageDialog | null>(null);

  const newSite = canCreateSite ? (
    <Button
      data-tour="new-site"
      leftSection={<Plus size={18} aria-hidden />}
      renderRoot={(props) => <Link to="/sites/new/$organizationId" params={{ organizationId }} {...props} />}
    >
      {t('action.newSite')}
    </Button>
  ) : null;
  const actions = canManage ? (
    <>
      {organization.isCommercial ? (
        <Button
          variant="default"
          data-tour="insurers-list"
          leftSection={<ShieldPlus size={18} aria-hidden />}
          renderRoot={(props) => (
            <Link
              to="/$organizationType/$organizationId/insurances"
              params={{ organizationType: type, organizationId }}
              {...props}
            />
          )}
        >
          {t('action.insurances')}
        </Button>
      ) : null}
      <Button
        variant="default"
        leftSection={<ChartColumn size={18} aria-hidden />}
        renderRoot={(props) => (
          <Link
            to="/$organizationType/$organizationId/numbers"
            params={{ organizationType: type, organizationId }}
            {...props}
          />
        )}
      >
        {t('action.numbers')}
      </Button>
      <Button
        variant="default"
        data-tour="owners-list"
        leftSection={<UserRound size={18} aria-hidden />}
        onClick={() => setDialog({ kind: 'owners' })}
      >
        {t('action.owners')}
      </Button>
      {newSite}
      <span data-organization-menu>
        <MenuButton
          label={t('menu', { name: organization.name })}
          entries={[
            {
              label: t('action.edit'),
              icon: <Pencil size={16} aria-hidden />,
              onSelect: () => setDialog({ kind: 'edit' }),
            },
            {
              label: t('action.reasons'),
              icon: <ListChecks size={16} aria-hidden />,
              onSelect: () => setDialog({ kind: 'reasons' }),
            },
            {
              label: t('action.delete'),
              icon: <Trash2 size={16} aria-hidden />,
              danger: true,
              onSelect: () => setDialog({ kind: 'delete' }),
            },
          ]}
        />
      </span>
    </>
  ) : null;

  const crumbs = useOrganizationCrumbs(type, organization);
  return (
    <>
      <PageHeader
        title={organization.name}
        icon={<NameMark name={organization.name} imagePath={organization.logoPath} size={48} />}
        badge={organization.isDisabled ? <StatusBadge tone="gray">{t('disabled')}</StatusBadge> : null}
        breadcrumbs={crumbs}
        actions={actions}
      />
      <OrganizationSites
        organizationId={organizationId}
        type={type}
        emptyAction={newSite}
        onDelete={(site) => setDialog({ kind: 'delete-site', site })}
      />
      <OrganizationPageDialogs
        subject={dialog}
        organization={organization}
        onClose={() => setDialog(null)}
        onDeleted={() => void navigate({ to: '/$organizationType', params: { organizationType: type }, replace: true })}
      />
    </>
  );
}
