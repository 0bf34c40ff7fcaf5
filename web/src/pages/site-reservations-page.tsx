import { Button, Tabs } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Counts } from '@/components/counts';
import { lazyNamed } from '@/components/lazy-named';
import { PageHeader } from '@/components/page-header';
import { TableSkeleton } from '@/components/skeletons';
import { useChangeSearch } from '@/components/use-change-search';
import { useLoadAhead } from '@/components/use-load-ahead';
import { BedsOverview } from '@/features/houses/components/beds-overview';
import { NewGuestButton } from '@/features/reservations/components/new-guest-button';
import { siteQuery } from '@/features/sites/api/site-query';
import { SiteOverlays } from './site-overlays';
import classes from '@/components/page-tabs.module.css';
import { SiteTabsList } from './site-tabs-list';
import { type SiteSearch, tabSearch, useOpenBed } from './use-site-search';

const loadTabs = () => import('./guest-tabs');
const ReservationsTab = lazyNamed(loadTabs, 'ReservationsTab', { fallback: <TableSkeleton /> });
const GuestsTab = lazyNamed(loadTabs, 'GuestsTab', { fallback: <TableSkeleton /> });

const TABS = ['overview', 'reservations', 'guests'] as const;

interface SiteReservationsPageProps {
  siteId: string;
  search: SiteSearch & { tab: (typeof TABS)[number] };
}

/** The day's work at one site: beds at a glance, reservations, guests (spec B section 2, Site reservation details). */
export function SiteReservationsPage({ siteId, search }: SiteReservationsPageProps) {
  const { t } = useTranslation(['sites', 'reservations']);
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  const change = useChangeSearch<'/reservations/$siteId'>();
  const openBed = useOpenBed(change);
  useLoadAhead(loadTabs);
  const { counts } = site;
  return (
    <>
      <PageHeader
        title={site.name}
        breadcrumbs={[{ label: t('titleReservations'), link: { to: '/reservations' } }, { label: site.name }]}
        counts={<Counts {...counts} />}
        actions={
          <>
            <Button
              variant="subtle"
              renderRoot={(props) => <Link {...props} to="/waitlist/$siteId" params={{ siteId }} />}
            >
              {t('reservations:waitlist.title')}
            </Button>
            <NewGuestButton
              site={site}
              label={t('reservations:addNewGuest')}
              variant="default"
              onOpen={() => change({ open: 'new-guest' })}
            />
          </>
        }
      />
      <Tabs
        value={search.tab}
        onChange={(tab) => change(tabSearch(TABS, tab))}
        keepMounted={false}
        classNames={{ list: classes.list, tab: classes.tab }}
      >
        <SiteTabsList value={search.tab} label={t('tabs')}>
          <Tabs.Tab value="overview">{t('tab.overview')}</Tabs.Tab>
          <Tabs.Tab value="reservations">{t('tab.reservations', { count: counts.pending })}</Tabs.Tab>
          <Tabs.Tab value="guests">{t('tab.guests', { count: counts.occupied })}</Tabs.Tab>
        </SiteTabsList>
        <Tabs.Panel value="overview">
          <BedsOverview site={site} onOpenBed={openBed} />
        </Tabs.Panel>
        <Tabs.Panel value="reservations">
          <ReservationsTab site={site} search={search} onSearch={change} />
        </Tabs.Panel>
        <Tabs.Panel value="guests">
          <GuestsTab site={site} search={search} onSearch={change} />
        </Tabs.Panel>
      </Tabs>
      <SiteOverlays site={site} search={search} onSearch={change} />
    </>
  );
}
