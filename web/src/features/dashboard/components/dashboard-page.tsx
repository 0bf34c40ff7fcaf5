import { SegmentedControl, Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '@/components/page-header';
import classes from '@/components/page-tabs.module.css';
import { useChangeSearch } from '@/components/use-change-search';
import { OrganizationsTable } from './organizations-table';
import { SitesTable } from './sites-table';
import type { ChangeDashboard } from './use-dashboard-list';
import { UsersTable } from './users-table';
import { DASHBOARD_TABS } from '../dashboard-search';
import type { DashboardSearch } from '../dashboard.utils';
import type { OrganizationType } from '@/lib/organization-types';

const KINDS = { organizations: undefined, 'free-rehabs': 'nonCommercial', 'paid-rehabs': 'commercial' } as const;
const LISTS = { users: UsersTable, organizations: OrganizationsTable, sites: SitesTable } as const;

/** Another list starts with its first page, unsorted, with nothing searched for and nothing open. */
const FRESH_TAB: Partial<DashboardSearch> = {
  page: undefined,
  size: undefined,
  sort: undefined,
  direction: undefined,
  dense: undefined,
  search: undefined,
  field: undefined,
  open: undefined,
};

interface DashboardPageProps {
  /** Which organizations it is about; `organizations` is all. */
  type: OrganizationType;
  search: DashboardSearch;
  /** Stands above the lists. */
  lead?: ReactNode;
}

/** The platform in three lists (spec A section 2, Platform dashboard). */
export function DashboardPage({ type, search, lead }: DashboardPageProps) {
  const { t } = useTranslation('dashboard');
  const change = useChangeSearch<'/dashboard/'>();
  const navigate = useNavigate();
  const onChange = useCallback<ChangeDashboard>((changes) => change(changes, { replace: true }), [change]);
  const showTab = (chosen: string | null) =>
    change({ ...FRESH_TAB, tab: DASHBOARD_TABS.find((tab) => tab === chosen) });
  const showType = (next: string) => {
    // The same list of another kind: all that was chosen stays, but for the page and what was opened.
    const kept = { ...search, page: 0, open: undefined };
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
      {lead}
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
