import * as z from 'zod/mini';
import { daySearchField } from '@/lib/day-search';
import { tableDefaults, tableSearchFields } from '@/components/data-table/table-search';

/** The four lists (spec B section 2, Audit log). */
export const AUDIT_TABS = ['internal', 'failed', 'guests', 'password'] as const;

/** The years that the log can be searched by. The fields of dates have the same limits. */
const YEARS = /^2/;

/** A text that somebody may have typed: no control characters, which no search takes. */
const text = (longest: number, pattern = /^\P{Cc}*$/u) =>
  z.catch(z.optional(z.string().check(z.maxLength(longest), z.regex(pattern))), undefined);
const id = text(36, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i);

/** What the address remembers of the audit log; wrong values fall back. */
export const auditLogSearch = z.object({
  ...tableSearchFields,
  tab: z.catch(z._default(z.enum(AUDIT_TABS), 'internal'), 'internal'),
  organization: id,
  site: id,
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
