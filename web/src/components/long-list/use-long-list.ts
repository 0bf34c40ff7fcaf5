import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod/mini';
import { useUser } from '@/access/use-user';
import { clearPreference, readPreference, writePreference } from '@/lib/preferences';
import { tableSearchFields } from '../data-table/table-search';
import { useTableLook } from '../data-table/use-table-look';
import type { TableState } from '../data-table/data-table.types';

const { page, sort, direction } = tableSearchFields;

/** What the address remembers of a long list. Read here and not by the routes: short lists do not have it. */
const longListSearch = z.object({
  find: z.catch(z._default(z.string().check(z.maxLength(100)), ''), ''),
  page,
  sort,
  direction,
});

/** Search, sort and page of a long list from the address; page size, density and columns as the user left them. */
export function useLongList() {
  const navigate = useNavigate();
  const { find, ...place } = longListSearch.parse(useSearch({ strict: false }));
  const [look, changeTable] = useTableLook('list', {}, 25);
  const change = (changes: Record<string, unknown>) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, ...changes })) as never,
      replace: true,
      resetScroll: false,
    });
  return {
    find,
    setFind: (text: string) => change({ find: text || undefined, page: undefined }),
    state: { ...place, ...look } satisfies TableState,
    setState: (next: TableState) =>
      changeTable(next, (search) =>
        change({
          page: search.page || undefined,
          sort: search.sort,
          direction: search.direction === 'desc' ? 'desc' : undefined,
        }),
      ),
  };
}

type ListView = 'cards' | 'table';

/** How the user sees long lists on this device, and how to change that. */
export function useListView(): [view: ListView, onChange: (view: ListView) => void] {
  const key = `listView.${useUser().id}` as const;
  const [view, setView] = useState<ListView>(() => readPreference(key) ?? 'cards');
  const change = (wanted: ListView) => {
    setView(wanted);
    if (wanted === 'table') writePreference(key, wanted);
    else clearPreference(key);
  };
  return [view, change];
}
