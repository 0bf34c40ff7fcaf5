import { Group } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { PrintButton } from '@/components/print/print-button';
import { useTableLook } from '@/components/data-table/use-table-look';
import { SearchInput } from '@/components/search-input';
import type { ChangeSearch } from '@/components/use-change-search';
import type { HistorySearch } from '../history-search';
import { HISTORY_LISTS, type HistoryList } from '../history.utils';
import classes from './history.module.css';
import { HistoryTable } from './history-table';

/** Every list begins with its first page again. */
const FIRST_PAGES: Record<HistoryList, undefined> = {
  accepted: undefined,
  discharged: undefined,
  declined: undefined,
  expired: undefined,
};

interface GuestHistoryProps {
  site: Pick<
    Schemas['SiteDetails'],
    'id' | 'name' | 'organizationName' | 'timeZone' | 'organizationId' | 'isCommercial'
  >;
  search: HistorySearch;
  onSearch: ChangeSearch<HistorySearch>;
}

/**
 * Who is here and who was: the four lists of a site's history (spec B section 2). The name that is searched for stays out
 * of the address: the history of the browser and logs would keep it.
 */
export function GuestHistory({ site, search, onSearch }: GuestHistoryProps) {
  const { t } = useTranslation('history');
  const [name, setName] = useState('');
  const hasPanel = useCan('guest.reassign', { site });
  // One look for the four lists, as there is one size and one density in the address.
  const [look, changeTable] = useTableLook('history', search);
  const handleName = (typed: string) => {
    setName(typed);
    onSearch(FIRST_PAGES, { replace: true });
  };
  const openPanel = useCallback((guest: Schemas['Guest']) => onSearch({ panel: guest.id }), [onSearch]);
  const openDetails = useCallback((guest: Schemas['Guest']) => onSearch({ guest: guest.id }), [onSearch]);
  return (
    <div className={classes.lists}>
      <Group justify="space-between" gap="sm">
        <SearchInput label={t('search')} value={name} onChange={handleName} tour="history-search" />
        <PrintButton />
      </Group>
      {HISTORY_LISTS.map((list) => (
        <HistoryTable
          key={list}
          site={site}
          list={list}
          search={name}
          state={{ page: search[list], direction: 'desc', ...look }}
          onStateChange={(next) =>
            changeTable(next, ({ page, size, dense }) => {
              const pages = next.size === look.size ? { [list]: page } : FIRST_PAGES;
              onSearch({ ...pages, size, dense }, { replace: true });
            })
          }
          onOpen={list === 'accepted' && hasPanel ? openPanel : openDetails}
        />
      ))}
    </div>
  );
}
