import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { auditLogDefaults, auditLogSearch } from '@/features/audit-log/audit-log-search';
import { loadTexts } from '@/i18n/i18n';
import { AuditLogPage } from '@/pages/audit-log-page';

/** The audit log of global admins and owners; others go to the start page (spec B section 2). */
export const Route = createFileRoute('/_app/logs')({
  staticData: { screen: 'auditLog', who: 'auditLog.open' },
  validateSearch: auditLogSearch,
  search: { middlewares: [stripSearchParams(auditLogDefaults)] },
  loader: () => loadTexts('audit-log'),
  pendingComponent: TablePageSkeleton,
  component: LogsRoute,
});

function LogsRoute() {
  return <AuditLogPage search={Route.useSearch()} />;
}
