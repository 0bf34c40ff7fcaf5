import type { TableLook, TableState } from '@/components/data-table/data-table.types';
import { useTableLook } from '@/components/data-table/use-table-look';
import type { AuditLogSearch } from '../audit-log.utils';

/** What each of the four lists is given. */
export interface AuditListProps {
  search: AuditLogSearch;
  onChange: (changes: Partial<AuditLogSearch>) => void;
}

/** What `AuditTable` is given by each list. */
export interface AuditListModel extends AuditListProps {
  search: AuditLogSearch & TableLook;
  onStateChange: (state: TableState) => void;
}

/** Rows on a page unless another number is chosen (spec B section 9). */
const ROWS = 10;

/** A list of the audit log as the address names it and as the user left it. */
export function useAuditList({ search, onChange }: AuditListProps): AuditListModel {
  const [look, changeTable] = useTableLook(`audit-log-${search.tab}`, search, ROWS);
  return {
    search: { ...search, ...look },
    onChange,
    onStateChange: (next) => changeTable(next, onChange),
  };
}
