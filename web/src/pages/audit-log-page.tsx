import { Button, Tabs, Text } from '@mantine/core';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '@/components/page-header';
import { auditLogKeys } from '@/features/audit-log/api/keys';
import { AUDIT_TABS } from '@/features/audit-log/audit-log-search';
import { type AuditLogSearch, zoneName } from '@/features/audit-log/audit-log.utils';
import { FailedList } from '@/features/audit-log/components/failed-list';
import { GuestsList } from '@/features/audit-log/components/guests-list';
import { InternalList } from '@/features/audit-log/components/internal-list';
import { PasswordList } from '@/features/audit-log/components/password-list';
import { serverNow } from '@/lib/clock';
import classes from './site-tabs.module.css';
import { tabSearch, useChangeSearch } from './use-site-search';

const LISTS = { internal: InternalList, failed: FailedList, guests: GuestsList, password: PasswordList } as const;

/** What happened on the platform, in four lists (spec B section 2, Audit log). */
export function AuditLogPage({ search }: { search: AuditLogSearch }) {
  const { t, i18n } = useTranslation('audit-log');
  const change = useChangeSearch();
  const queryClient = useQueryClient();
  const isFetching = useIsFetching({ queryKey: auditLogKeys.all }) > 0;
  const onChange = useCallback(
    (changes: Partial<AuditLogSearch>) => change({ ...changes }, { replace: true }),
    [change],
  );
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
        value={search.tab}
        onChange={(tab) => change(tabSearch(tab))}
        keepMounted={false}
        classNames={{ list: classes.list, tab: classes.tab }}
      >
        <Tabs.List aria-label={t('tabs')} mb="md">
          {AUDIT_TABS.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {t(`tab.${tab}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {AUDIT_TABS.map((tab) => {
          const List = LISTS[tab];
          return (
            <Tabs.Panel key={tab} value={tab}>
              <Text c="dimmed" size="sm" mb="md">
                {t(`hint.${tab}`)} {t('zone', { zone: zoneName(i18n.language, new Date(serverNow())) })}
              </Text>
              <List search={search} onChange={onChange} />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </>
  );
}
