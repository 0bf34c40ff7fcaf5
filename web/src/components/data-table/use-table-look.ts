import { useState } from 'react';
import { useUser } from '@/access/use-user';
import { readView, writeView } from '@/access/views';
import type { TableLook, TableSearch, TableState } from './data-table.types';
import { PAGE_SIZES, type PageSize } from './table-search';

/** Changes a table. `onSearch` is told what the address has to remember, unless only the columns have changed. */
type ChangeTable = (next: TableState, onSearch: (search: TableSearch) => void) => void;

/**
 * Page size, density and hidden columns of a table as the user left them on this device, else on any other. What the
 * address names wins, so that links and the back button lead to what was there; it is not remembered before the user
 * chooses it here. A choice that is made elsewhere meanwhile does not change a table that is shown.
 */
export function useTableLook(
  table: string,
  named: Pick<TableSearch, 'size' | 'dense'>,
  size: PageSize = 5,
): [look: TableLook, change: ChangeTable] {
  const user = useUser();
  const name = `tableLook.${table}` as const;
  const key = `${name}.${user.id}`;
  const read = () => ({ key, own: parseLook(readView(user, name), size) });
  const [state, setState] = useState(read);
  const current = state.key === key ? state : read();
  if (current !== state) setState(current);
  const { own } = current;
  const look = { size: named.size ?? own.size, dense: named.dense ?? own.dense, hidden: own.hidden };
  const change: ChangeTable = (next, onSearch) => {
    const { hidden = own.hidden } = next;
    const isResized = next.size !== look.size;
    const isDensityChanged = next.dense !== look.dense;
    if (isResized || isDensityChanged || hidden !== own.hidden) {
      const chosen = {
        size: isResized ? next.size : own.size,
        dense: isDensityChanged ? next.dense : own.dense,
        hidden,
      };
      setState({ key, own: chosen });
      writeView(user, name, formatLook(chosen));
      if (hidden !== own.hidden) return;
    }
    onSearch({
      page: next.page,
      sort: next.sort,
      direction: next.direction,
      // A page is a place only together with its size.
      size: isResized || next.page > 0 ? next.size : named.size,
      dense: isDensityChanged ? next.dense : named.dense,
    });
  };
  return [look, change];
}

/** Writes "25", "25 dense" or "25 dense -phone -email". */
function formatLook({ size, dense, hidden }: TableLook): string {
  return [size, ...(dense ? ['dense'] : []), ...hidden.map((id) => `-${id}`)].join(' ');
}

/** Reads what `formatLook` writes. An unknown page size is none. */
function parseLook(stored: string | undefined, fallback: PageSize): TableLook {
  const [number, ...others] = stored?.split(' ') ?? [];
  return {
    size: PAGE_SIZES.find((known) => String(known) === number) ?? fallback,
    dense: others.includes('dense'),
    hidden: others.filter((word) => word.startsWith('-')).map((word) => word.slice(1)),
  };
}
