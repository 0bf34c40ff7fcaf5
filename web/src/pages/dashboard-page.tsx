import { SegmentedControl, Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '@/components/page-header';
import { OrganizationsTable } from '@/features/dashboard/components/organizations-table';
import { SitesTable } from '@/features/dashboard/components/sites-table';
import type { ChangeDashboard } from '@/features/dashboard/components/use-dashboard-list';
import { UsersTable } from '@/features/dashboard/components/users-table';
import { DASHBOARD_TABS } from '@/features/dashboard/dashboard-search';
import type { DashboardSearch } from '@/features/dashboard/dashboard.utils';
import type { OrganizationType } from '@/lib/organization-types';
import classes from './site-tabs.module.css';
import { FRESH_TAB, useChangeSearch } from './use-site-search';

const KINDS = { organizations: undefined, 'free-rehabs': 'nonCommercial', 'paid-rehabs': 'commercial' } as const;
const LISTS = { users: UsersTable, organizations: OrganizationsTable, sites: SitesTable } as const;

interface DashboardPageProps {
  /** Which organizations it is about; `organizations` is all. */
  type: OrganizationType;
  search: DashboardSearch;
}

/** The platform in three lists (spec A section 2, Platform dashboard). */
export function DashboardPage({ type, search }: DashboardPageProps) {
  const { t } = useTranslation('dashboard');
  const change = useChangeSearch();
  const navigate = useNavigate();
  const onChange = useCallback<ChangeDashboard>((changes) => change({ ...changes }, { replace: true }), [change]);
  const showTab = (tab: string | null) => change({ ...FRESH_TAB, search: undefined, field: undefined, tab });
  const showType = (next: string) => {
    // The same list of another kind: all that was chosen stays, but for the page and what was opened.
    const kept = { ...search, page: 0, open: undefined } as never;
    void (next === 'organizations'
      ? navigate({ to: '/dashboard', search: kept })
      : navigate({ to: '/dashboard/$organizationType', params: { organizationType: next }, search: kept }));
  };
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          <SegmentedControl
            aria-label={t('kind.label')}
            value={type}
            onChange={showType}
            data={[
              { value: 'organizations', label: t('kind.all') },
              { value: 'free-rehabs', label: t('kind.nonCommercial') },
              { value: 'paid-rehabs', label: t('kind.commercial') },
            ]}
          />
        }
      />
      <Tabs
        value={search.tab}
        onChange={showTab}
        keepMounted={false}
        classNames={{ list: classes.list, tab: classes.tab }}
      >
        <Tabs.List aria-label={t('tabs')} mb="lg">
          {DASHBOARD_TABS.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {t(`tab.${tab}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {DASHBOARD_TABS.map((tab) => {
          const List = LISTS[tab];
          return (
            <Tabs.Panel key={tab} value={tab}>
              {/* Another kind of organizations begins with nothing selected. */}
              <List key={type} search={search} kind={KINDS[type]} onChange={onChange} />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </>
  );
}
