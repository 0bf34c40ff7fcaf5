import { useState } from 'react';
import { useUser } from '@/access/use-user';
import { readPreference, writePreference } from '@/lib/preferences';
import type { TableState } from './data-table.types';
import { PAGE_SIZES } from './table-search';

type TableLook = Pick<TableState, 'size' | 'dense'>;

/** Page size and density of a table as the user left them on this device, and how to change them. */
export function useTableLook(
  table: string,
  fallback: TableLook,
): [look: TableLook, onChange: (look: TableLook) => void] {
  const key = `tableLook.${table}.${useUser().id}` as const;
  const [look, setLook] = useState(() => parseLook(readPreference(key)) ?? fallback);
  const change = ({ size, dense }: TableLook) => {
    setLook({ size, dense });
    writePreference(key, `${size}${dense ? ' dense' : ''}`);
  };
  return [look, change];
}

/** Reads "25" or "25 dense"; anything else is no choice. */
function parseLook(stored: string | undefined): TableLook | undefined {
  const [number, density] = stored?.split(' ') ?? [];
  const size = PAGE_SIZES.find((known) => String(known) === number);
  return size && { size, dense: density === 'dense' };
}
