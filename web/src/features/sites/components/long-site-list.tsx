import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { LongList } from '@/components/long-list/long-list';
import { ShortName } from '@/components/short-name';
import { StatusBadge } from '@/components/status-badge';
import { SiteCards } from './site-cards';
import type { SiteListProps, SiteSummary } from './site-list.types';

/** Many sites: search by name, address and organization, sort, cards or a table. */
export function LongSiteList(props: SiteListProps) {
  const { t } = useTranslation('sites');
  return (
    <LongList
      label={props.label}
      searchLabel={t('long.search')}
      searchTexts={props.showOrganization ? textsOf : ownTextsOf}
      columns={useSiteColumns(props.showOrganization ?? false)}
      rows={props.sites}
      rowId={(site) => site.id}
      rowLink={props.siteLink}
      rowMenu={props.siteMenu}
    >
      {(sites) => <SiteCards {...props} sites={sites} />}
    </LongList>
  );
}

const ownTextsOf = (site: SiteSummary) => [site.name, site.address];
const textsOf = (site: SiteSummary) => [site.name, site.address, site.organizationName];

const COUNTS = ['available', 'vacant', 'pending', 'occupied', 'disabled'] as const;

function useSiteColumns(showOrganization: boolean): DataColumn<SiteSummary>[] {
  const { t } = useTranslation(['sites', 'common']);
  return useMemo<DataColumn<SiteSummary>[]>(
    () => [
      {
        id: 'name',
        header: t('long.name'),
        cell: (site) => (
          <Group component="span" gap="4px 8px">
            <ShortName name={site.name} />
            {site.isDisabled ? <StatusBadge tone="gray">{t('notShown')}</StatusBadge> : null}
          </Group>
        ),
        sortValue: (site) => site.name,
        isTitle: true,
      },
      ...(showOrganization
        ? [
            {
              id: 'organization',
              header: t('long.organization'),
              cell: (site: SiteSummary) => site.organizationName,
              sortValue: (site: SiteSummary) => site.organizationName,
            },
          ]
        : []),
      {
        id: 'address',
        header: t('long.address'),
        cell: (site) => site.address,
        sortValue: (site) => site.address,
      },
      ...COUNTS.map((kind) => ({
        id: kind,
        header: t(`common:counts.${kind}`, { count: 2 }),
        cell: (site: SiteSummary) => site.counts[kind],
        sortValue: (site: SiteSummary) => site.counts[kind],
        numeric: true,
      })),
    ],
    [t, showOrganization],
  );
}
