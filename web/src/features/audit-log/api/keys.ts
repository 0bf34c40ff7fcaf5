import type { AuditPage, AuditTab } from '../audit-log.utils';

/** Keys of the audit log's queries. */
export const auditLogKeys = {
  all: ['audit-log'] as const,
  list: (tab: AuditTab, page: AuditPage) => ['audit-log', tab, page] as const,
};
