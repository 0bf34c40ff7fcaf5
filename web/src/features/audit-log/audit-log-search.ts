import * as z from 'zod/mini';
import { daySearchField } from '@/lib/day-search';
import { tableDefaults, tableSearchFields } from '@/components/data-table/table-search';
import { idSearchField, searchField } from '@/lib/search-field';

/** The four lists (spec B section 2, Audit log). */
export const AUDIT_TABS = ['internal', 'failed', 'guests', 'password'] as const;

/** The years that the log can be searched by. The fields of dates have the same limits. */
const YEARS = /^2/;

/** A text that somebody may have typed: no control characters, which no search takes. */
const text = (longest: number, pattern = /^\P{Cc}*$/u) =>
  searchField(z.string().check(z.maxLength(longest), z.regex(pattern)));

/** What the address remembers of the audit log; wrong values fall back. */
export const auditLogSearch = z.object({
  ...tableSearchFields,
  tab: z.catch(z._default(z.enum(AUDIT_TABS), 'internal'), 'internal'),
  organization: idSearchField,
  site: idSearchField,
  /** Email of who did it. */
  person: text(200, /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u),
  /** Code of a reservation. */
  guest: text(20),
  action: text(60),
  /** First and last day, in the zone of whoever reads. */
  from: daySearchField(YEARS),
  to: daySearchField(YEARS),
});

/** What the address does not show, since it goes without saying. */
export const auditLogDefaults = { ...tableDefaults, tab: 'internal' } as const;
