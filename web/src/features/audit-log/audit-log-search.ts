import * as z from 'zod/mini';
import { PAGE_SIZES, tableDefaults, tableSearchFields } from '@/components/data-table/table-search';

/** The four lists (spec B section 2, Audit log). */
export const AUDIT_TABS = ['internal', 'failed', 'guests', 'password'] as const;

/** Rows on a page unless another number is chosen (spec B section 9). */
const ROWS = 10;

/** What the address remembers of the audit log; wrong values fall back. */
export const auditLogSearch = z.object({
  ...tableSearchFields,
  size: z.catch(z._default(z.literal(PAGE_SIZES), ROWS), ROWS),
  tab: z.catch(z._default(z.enum(AUDIT_TABS), 'internal'), 'internal'),
});

/** What the address does not show, since it goes without saying. */
export const auditLogDefaults = { ...tableDefaults, size: ROWS, tab: 'internal' } as const;
