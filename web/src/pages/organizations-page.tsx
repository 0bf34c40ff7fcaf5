import { Button, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Eye, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useUser } from '@/access/use-user';
import { lazyDialog } from '@/components/lazy-named';
import { PageHeader } from '@/components/page-header';
import { organizationsQuery } from '@/features/organizations/api/organizations-query';
import { OrganizationList } from '@/features/organizations/components/organization-list';
import type { OrganizationDialog } from '@/features/organizations/organizations.utils';
import { usePublicSettings } from '@/features/shell/api/public-settings';
import type { OrganizationType } from '@/lib/organization-types';
import { TodaySummary } from './today-summary';

/** What stands over the list comes with the first use of it. */
const OrganizationDialogs = lazyDialog(
  () => import('@/features/organizations/components/organization-dialogs'),
  'OrganizationDialogs',
  { texts: ['users'] },
);

/**
 * A list of organizations; the non-commercial one credits the foundation (spec A sections 1 and 2). Above that of the own
 * ones stands what needs a decision today.
 */
export function OrganizationsPage({ type }: { type: OrganizationType }) {
  const { t } = useTranslation('organizations');
  const { data: organizations } = useSuspenseQuery(organizationsQuery(type));
  const foundation = usePublicSettings()?.foundation;
  const { isGlobal } = useUser();
  const canOverview = useCan('overview.view');
  // What a new one is, the list tells (spec A section 6); the list of both kinds tells nothing.
  const canCreate = useCan('organization.create') && type !== 'organizations';
  const [dialog, setDialog] = useState<OrganizationDialog | null>(null);

  const expected = {
    waiting: sum(organizations.map(({ countOfPending }) => countOfPending)),
    sites: sum(organizations.map(({ siteCount }) => siteCount)),
  };
  const create = canCreate ? (
    <Button
      leftSection={<Plus size={18} aria-hidden />}
      onClick={() => setDialog({ kind: 'create' })}
      data-tour="create-organization"
    >
      {t('action.create')}
    </Button>
  ) : null;
  return (
    <>
      <PageHeader
        title={t(`title.${type}`)}
        actions={
          canOverview ? (
            <>
              <Button
                variant="default"
                leftSection={<Eye size={18} aria-hidden />}
                onClick={() => setDialog({ kind: 'overview' })}
                data-tour="overview"
              >
                {t('action.overview')}
              </Button>
              {organizations.length > 0 ? create : null}
            </>
          ) : null
        }
      />
      {type === 'organizations' && !isGlobal ? <TodaySummary expected={expected} /> : null}
      <OrganizationList
        organizations={organizations}
        type={type}
        onAction={(kind, organization) => setDialog({ kind, organization })}
        emptyAction={create}
      />
      {type === 'free-rehabs' && foundation ? (
        <Text c="dimmed" mt="xl">
          {t('foundation', { foundation })}
        </Text>
      ) : null}
      <OrganizationDialogs
        subject={dialog}
        organizations={organizations}
        isCommercial={type === 'paid-rehabs'}
        onClose={() => setDialog(null)}
      />
    </>
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
