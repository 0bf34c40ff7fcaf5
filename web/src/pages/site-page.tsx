import { Tabs } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { Counts } from '@/components/counts';
import { lazyNamed } from '@/components/lazy-named';
import { PageHeader } from '@/components/page-header';
import { TableSkeleton } from '@/components/skeletons';
import { useChangeSearch } from '@/components/use-change-search';
import type { HistorySearch } from '@/features/history/history-search';
import { HousesTab } from '@/features/houses/components/houses-tab';
import type { NumbersSearch } from '@/features/numbers/numbers-search';
import { useOrganizationCrumbs } from '@/features/organizations/ui/use-organization-crumbs';
import { NewGuestButton } from '@/features/reservations/components/new-guest-button';
import { siteQuery } from '@/features/sites/api/site-query';
import type { OrganizationType } from '@/lib/organization-types';
import { SiteOverlays } from './site-overlays';
import classes from '@/components/page-tabs.module.css';
import { SiteTabsList } from './site-tabs-list';
import { type SiteSearch, tabSearch, useOpenBed } from './use-site-search';

const TABS = ['information', 'houses', 'reservations', 'guests', 'history', 'numbers', 'users'] as const;

/** The tables and what belongs to them: the page opens at the houses. */
const ReservationsTab = lazyNamed(() => import('./guest-tabs'), 'ReservationsTab', { fallback: <TableSkeleton /> });
/** What is over is looked up now and then. */
const HistorySection = lazyNamed(() => import('./history-section'), 'HistorySection', {
  texts: ['history'],
  fallback: <TableSkeleton />,
});
/** Read now and then, by those who run the site. Its words stand with those of the dashboard, which counts alike. */
const SiteNumbers = lazyNamed(() => import('@/features/numbers/components/site-numbers'), 'SiteNumbers', {
  texts: ['dashboard'],
  fallback: <TableSkeleton />,
});
const GuestsTab = lazyNamed(() => import('./guest-tabs'), 'GuestsTab', { fallback: <TableSkeleton /> });

/** Seldom opened, and only by those who manage the organization. */
const SiteUsersTable = lazyNamed(() => import('@/features/users/components/site-users-table'), 'SiteUsersTable', {
  texts: ['users'],
  fallback: <TableSkeleton />,
});

/** Read now and then: its texts and its gallery come with it. */
const SiteInformation = lazyNamed(() => import('@/features/sites/components/site-information'), 'SiteInformation', {
  texts: ['site-info'],
  fallback: <TableSkeleton />,
});

interface SitePageProps {
  siteId: string;
  type: OrganizationType;
  search: SiteSearch &
    HistorySearch &
    NumbersSearch & {
      tab: (typeof TABS)[number];
      beds: 'all' | 'vacant' | 'occupied';
      bedType?: Schemas['Bed']['type'] | undefined;
    };
}

/** One site: its houses, reservations and guests (spec A section 2, Site details page). */
export function SitePage({ siteId, type, search }: SitePageProps) {
  const { t } = useTranslation(['sites', 'reservations']);
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  const change = useChangeSearch<'/$organizationType/$organizationId/$siteId'>();
  const openBed = useOpenBed(change);
  const { counts } = site;
  // Spec A section 2: only for those who may manage the organization; site admins have /user-management.
  const showsUsers = useCan('organization.edit', { site });
  const showsNumbers = useCan('numbers.view', { site });
  // An address with the tab may come from someone who sees it.
  const isHidden = (search.tab === 'users' && !showsUsers) || (search.tab === 'numbers' && !showsNumbers);
  const tab = isHidden ? 'houses' : search.tab;
  const crumbs = useOrganizationCrumbs(type, { id: site.organizationId, name: site.organizationName }, site.name);
  return (
    <>
      <PageHeader title={site.name} breadcrumbs={crumbs} counts={<Counts {...counts} />} />
      <Tabs
        value={tab}
        onChange={(chosen) => change(tabSearch(TABS, chosen))}
        keepMounted={false}
        classNames={{ list: classes.list, tab: classes.tab }}
      >
        <SiteTabsList value={tab} label={t('tabs')}>
          <Tabs.Tab value="information">{t('tab.information')}</Tabs.Tab>
          <Tabs.Tab value="houses">{t('tab.houses', { count: counts.rooms })}</Tabs.Tab>
          <Tabs.Tab value="reservations">{t('tab.reservations', { count: counts.pending })}</Tabs.Tab>
          <Tabs.Tab value="guests">{t('tab.guests', { count: counts.occupied })}</Tabs.Tab>
          <Tabs.Tab value="history">{t('tab.history')}</Tabs.Tab>
          {showsNumbers ? <Tabs.Tab value="numbers">{t('tab.numbers')}</Tabs.Tab> : null}
          {showsUsers ? <Tabs.Tab value="users">{t('tab.users')}</Tabs.Tab> : null}
        </SiteTabsList>
        <Tabs.Panel value="information">
          <SiteInformation site={site} />
        </Tabs.Panel>
        <Tabs.Panel value="houses">
          <HousesTab
            site={site}
            beds={search.beds}
            onBedsChange={(beds) => change({ beds }, { replace: true })}
            type={search.bedType}
            onTypeChange={(bedType) => change({ bedType }, { replace: true })}
            onOpenBed={openBed}
          />
        </Tabs.Panel>
        <Tabs.Panel value="reservations">
          <ReservationsTab
            site={site}
            search={search}
            onSearch={change}
            action={
              <NewGuestButton
                site={site}
                label={t('reservations:newGuest')}
                onOpen={() => change({ open: 'new-guest' })}
              />
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="guests">
          <GuestsTab site={site} search={search} onSearch={change} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <HistorySection site={site} search={search} onSearch={change} />
        </Tabs.Panel>
        {showsNumbers ? (
          <Tabs.Panel value="numbers">
            <SiteNumbers site={site} search={search} onSearch={change} />
          </Tabs.Panel>
        ) : null}
        {showsUsers ? (
          <Tabs.Panel value="users">
            <SiteUsersTable
              site={site}
              kind="tab"
              search={search}
              onSearch={(table) => change(table, { replace: true })}
            />
          </Tabs.Panel>
        ) : null}
      </Tabs>
      <SiteOverlays site={site} search={search} onSearch={change} />
    </>
  );
}
