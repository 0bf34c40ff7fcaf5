import { Button, Tabs, Text } from '@mantine/core';
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { PageHeader } from '@/components/page-header';
import { useChangeSearch } from '@/components/use-change-search';
import { auditLogKeys } from '@/features/audit-log/api/keys';
import { AUDIT_TABS } from '@/features/audit-log/audit-log-search';
import { type AuditLogSearch, isReversed, type TrailFilter } from '@/features/audit-log/audit-log.utils';
import { FailedList } from '@/features/audit-log/components/failed-list';
import { GuestsList } from '@/features/audit-log/components/guests-list';
import { InternalList } from '@/features/audit-log/components/internal-list';
import { PasswordList } from '@/features/audit-log/components/password-list';
import { TrailFilters } from '@/features/audit-log/components/trail-filters';
import { organizationsQuery } from '@/features/organizations/api/organizations-query';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { serverNow } from '@/lib/clock';
import { zoneName } from '@/lib/time';
import classes from '@/components/page-tabs.module.css';
import { tabSearch } from './use-site-search';

const LISTS = { internal: InternalList, failed: FailedList, guests: GuestsList, password: PasswordList } as const;

/** What happened: all of it in four lists for global admins, that of their organization for owners (spec B section 2). */
export function AuditLogPage({ search }: { search: AuditLogSearch }) {
  const { t, i18n } = useTranslation('audit-log');
  const user = useUser();
  const change = useChangeSearch<'/logs'>();
  const queryClient = useQueryClient();
  const isFetching = useIsFetching({ queryKey: auditLogKeys.all }) > 0;
  const onChange = useCallback((changes: Partial<AuditLogSearch>) => change(changes, { replace: true }), [change]);
  const tabs = user.isGlobal ? AUDIT_TABS : AUDIT_TABS.slice(0, 1);
  // Owners read one organization at a time: theirs, or the first of theirs.
  const organization = user.isGlobal
    ? search.organization
    : ownOrganization(user.ownerOrganizationIds, search.organization);
  // An old link may name an action that is called otherwise now.
  const action = search.action && i18n.exists(`audit-log:action.${search.action}`) ? search.action : undefined;
  const shown = {
    ...search,
    action,
    to: isReversed(search) ? undefined : search.to,
    tab: user.isGlobal ? search.tab : 'internal',
    organization,
  } satisfies AuditLogSearch;
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          <Button
            variant="default"
            leftSection={<RefreshCw size={18} aria-hidden />}
            aria-disabled={isFetching}
            onClick={() => void queryClient.invalidateQueries({ queryKey: auditLogKeys.all })}
          >
            {t('refresh')}
          </Button>
        }
      />
      <Tabs
        value={shown.tab}
        onChange={(tab) => change(tabSearch(AUDIT_TABS, tab))}
        keepMounted={false}
        classNames={{ list: classes.list, tab: classes.tab }}
      >
        {tabs.length > 1 ? (
          <Tabs.List aria-label={t('tabs')} mb="md">
            {tabs.map((tab) => (
              <Tabs.Tab key={tab} value={tab}>
                {t(`tab.${tab}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        ) : null}
        {tabs.map((tab) => {
          const List = LISTS[tab];
          return (
            <Tabs.Panel key={tab} value={tab}>
              <Text c="dimmed" size="sm" mb="md">
                {t(user.isGlobal ? `hint.${tab}` : 'hint.organization')}{' '}
                {t('zone', { zone: zoneName(i18n.language, new Date(serverNow())) })}
              </Text>
              {tab === 'internal' ? <Filters search={shown} onChange={onChange} /> : null}
              <List search={shown} onChange={onChange} />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </>
  );
}

/** The organization whose trail an owner reads. */
function ownOrganization(owned: ReadonlySet<string>, chosen: string | undefined): string | undefined {
  return chosen !== undefined && owned.has(chosen) ? chosen : [...owned][0];
}

interface FiltersProps {
  search: AuditLogSearch;
  onChange: (changes: Partial<AuditLogSearch>) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const user = useUser();
  const { organization, site, person, guest, action, from, to } = search;
  const organizations = useQuery(organizationsQuery('organizations')).data ?? [];
  const sites = useQuery({ ...sitesQuery(organization ?? null), enabled: organization !== undefined }).data ?? [];
  const choices = user.isGlobal ? organizations : organizations.filter(({ id }) => user.ownerOrganizationIds.has(id));
  const isOne = !user.isGlobal && choices.length < 2;
  return (
    <TrailFilters
      filter={{ organization, site, person, guest, action, from, to } satisfies TrailFilter}
      organizations={isOne ? [] : choices}
      mayShowAll={user.isGlobal}
      sites={sites}
      onChange={(filter) =>
        onChange({
          page: 0,
          organization: filter.organization,
          site: filter.site,
          person: filter.person,
          guest: filter.guest,
          action: filter.action,
          from: filter.from,
          to: filter.to,
        })
      }
    />
  );
}
