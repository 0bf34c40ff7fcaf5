import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router';
import { can } from '@/access/can';
import { TablePageSkeleton } from '@/components/page-skeletons';
import { auditLogDefaults, auditLogSearch } from '@/features/audit-log/audit-log-search';
import { loadTexts } from '@/i18n/i18n';
import { AuditLogPage } from '@/pages/audit-log-page';

/** The audit log of global admins and owners; others go to the start page (spec B section 2). */
export const Route = createFileRoute('/_app/logs')({
  staticData: { screen: 'auditLog' },
  validateSearch: auditLogSearch,
  search: { middlewares: [stripSearchParams(auditLogDefaults)] },
  beforeLoad: ({ context: { user } }) => {
    if (!can(user, 'auditLog.open')) throw redirect({ to: '/', replace: true });
  },
  loader: () => loadTexts('audit-log'),
  pendingComponent: TablePageSkeleton,
  component: LogsRoute,
});

function LogsRoute() {
  return <AuditLogPage search={Route.useSearch()} />;
}
