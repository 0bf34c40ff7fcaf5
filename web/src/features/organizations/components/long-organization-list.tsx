import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import type { DataColumn } from '@/components/data-table/data-table.types';
import { LongList } from '@/components/long-list/long-list';
import { ShortName } from '@/components/short-name';
import { StatusBadge } from '@/components/status-badge';
import { OrganizationCards, type OrganizationCardsProps } from './organization-cards';

type Organization = Schemas['Organization'];

/** Many organizations: search by name, sort, cards or a table. */
export function LongOrganizationList(props: OrganizationCardsProps) {
  const { t } = useTranslation('organizations');
  return (
    <LongList
      label={t(`title.${props.type}`)}
      searchLabel={t('overview.search.organizations')}
      searchTexts={textsOf}
      columns={useOrganizationColumns()}
      rows={props.organizations}
      rowId={(organization) => organization.id}
      rowLink={(organization) => ({
        to: '/$organizationType/$organizationId',
        params: { organizationType: props.type, organizationId: organization.id },
      })}
      rowMenu={props.menuOf}
    >
      {(organizations) => <OrganizationCards {...props} organizations={organizations} />}
    </LongList>
  );
}

const textsOf = (organization: Organization) => [organization.name];

function useOrganizationColumns(): DataColumn<Organization>[] {
  const { t } = useTranslation(['organizations', 'common']);
  return useMemo<DataColumn<Organization>[]>(
    () => [
      {
        id: 'name',
        header: t('form.name'),
        cell: (organization) => (
          <Group component="span" gap="4px 8px">
            <ShortName name={organization.name} />
            {organization.isDisabled ? <StatusBadge tone="gray">{t('disabled')}</StatusBadge> : null}
          </Group>
        ),
        sortValue: (organization) => organization.name,
        isTitle: true,
      },
      {
        id: 'sites',
        header: t('sites'),
        cell: (organization) => organization.siteCount,
        sortValue: (organization) => organization.siteCount,
        numeric: true,
      },
      {
        id: 'vacant',
        header: t('common:counts.vacant', { count: 2 }),
        cell: (organization) => organization.countOfVacantBeds,
        sortValue: (organization) => organization.countOfVacantBeds,
        numeric: true,
      },
      {
        id: 'pending',
        header: t('common:counts.pending', { count: 2 }),
        cell: (organization) => organization.countOfPending,
        sortValue: (organization) => organization.countOfPending,
        numeric: true,
      },
    ],
    [t],
  );
}
