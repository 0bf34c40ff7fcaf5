import type { AuditPage, AuditTab, TrailFilter } from '../audit-log.utils';

/** Keys of the audit log's queries. */
export const auditLogKeys = {
  all: ['audit-log'] as const,
  list: (tab: AuditTab, page: AuditPage) => ['audit-log', tab, page] as const,
  trail: (page: AuditPage, filter: TrailFilter) => ['audit-log', 'internal', page, filter] as const,
  guests: (id: string) => ['audit-log', 'guests-of', id] as const,
};
