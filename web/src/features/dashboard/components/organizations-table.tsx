import { Building2 } from 'lucide-react';
import { lazyDialog } from '@/components/lazy-named';
import { organizationsPageQuery } from '../api/dashboard-queries';
import { DashboardList } from './dashboard-list';
import { useOrganizationColumns } from './use-dashboard-columns';
import { type DashboardListProps, useDashboardList } from './use-dashboard-list';

const OrganizationDialog = lazyDialog(() => import('./organization-dialog'), 'OrganizationDialog');

/** The organizations of the platform (spec A section 2, Organizations tab). */
export function OrganizationsTable(props: DashboardListProps) {
  const { search, onChange } = props;
  const list = useDashboardList('organizations', props, organizationsPageQuery);
  return (
    <>
      <DashboardList
        list={list}
        columns={useOrganizationColumns(onChange)}
        rowName={({ organizationName }) => organizationName}
        emptyIcon={<Building2 size={32} strokeWidth={1.5} />}
      />
      <OrganizationDialog subject={search.open ?? null} onClose={() => onChange({ open: undefined })} />
    </>
  );
}
