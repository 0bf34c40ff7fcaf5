import { Tabs } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Counts } from '@/components/counts';
import { PageHeader } from '@/components/page-header';
import { HousesTab } from '@/features/houses/components/houses-tab';
import { NewGuestButton } from '@/features/reservations/components/new-guest-button';
import { siteQuery } from '@/features/sites/api/site-query';
import type { OrganizationType } from '@/lib/organization-types';
import { GuestsTab, ReservationsTab, tabSearch } from './guest-tabs';
import { SiteOverlays } from './site-overlays';
import classes from './site-tabs.module.css';
import { type SiteSearch, useChangeSearch } from './use-site-search';

interface SitePageProps {
  siteId: string;
  type: OrganizationType;
  search: SiteSearch & { tab: 'houses' | 'reservations' | 'guests'; beds: 'all' | 'vacant' | 'occupied' };
}

/** One site: its houses, reservations and guests (spec A section 2, Site details page). */
export function SitePage({ siteId, type, search }: SitePageProps) {
  const { t } = useTranslation(['sites', 'organizations', 'reservations']);
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  const change = useChangeSearch();
  const { counts } = site;
  return (
    <>
      <PageHeader
        title={site.name}
        breadcrumbs={[
          {
            label: t(`organizations:title.${type}`),
            link: { to: '/$organizationType', params: { organizationType: type } },
          },
          {
            label: site.organizationName,
            link: {
              to: '/$organizationType/$organizationId',
              params: { organizationType: type, organizationId: site.organizationId },
            },
          },
          { label: site.name },
        ]}
        counts={<Counts {...counts} />}
      />
      <Tabs
        value={search.tab}
        onChange={(tab) => change(tabSearch(tab))}
        keepMounted={false}
        classNames={{ list: classes.list, tab: classes.tab }}
      >
        <Tabs.List aria-label={t('tabs')} mb="lg">
          <Tabs.Tab value="houses">{t('tab.houses', { count: counts.rooms })}</Tabs.Tab>
          <Tabs.Tab value="reservations">{t('tab.reservations', { count: counts.pending })}</Tabs.Tab>
          <Tabs.Tab value="guests">{t('tab.guests', { count: counts.occupied })}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="houses">
          <HousesTab site={site} beds={search.beds} onBedsChange={(beds) => change({ beds }, { replace: true })} />
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
      </Tabs>
      <SiteOverlays site={site} search={search} onSearch={change} />
    </>
  );
}
