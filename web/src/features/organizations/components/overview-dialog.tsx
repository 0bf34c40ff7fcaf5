import { Stack, Tabs } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/dialog/dialog';
import type { DialogSubject } from '@/components/dialog/dialog-subject';
import { SearchInput } from '@/components/search-input';
import { OverviewOrganizations } from './overview-organizations';
import { OverviewUsers } from './overview-users';

const TABS = ['organizations', 'users', 'admins'] as const;
type Tab = (typeof TABS)[number];

interface OverviewDialogProps {
  subject: DialogSubject<object>;
  onClose: () => void;
}

/** Everything a global admin looks after: organizations, people, other global admins, each with its own search. */
export function OverviewDialog({ subject, onClose }: OverviewDialogProps) {
  const { t } = useTranslation('organizations');
  return (
    <Dialog subject={subject} width={800} title={t('overview.title')} onClose={onClose}>
      <Overview onClose={onClose} />
    </Dialog>
  );
}

function Overview({ onClose }: Pick<OverviewDialogProps, 'onClose'>) {
  const { t } = useTranslation('organizations');
  const [tab, setTab] = useState<Tab>('organizations');
  const [searches, setSearches] = useState<Record<Tab, string>>({ organizations: '', users: '', admins: '' });
  return (
    <Tabs value={tab} onChange={(value) => setTab(TABS.find((one) => one === value) ?? 'organizations')}>
      <Tabs.List mb="md">
        {TABS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(`overview.tabs.${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TABS.map((one) => (
        <Tabs.Panel key={one} value={one}>
          <Stack gap="md">
            <SearchInput
              label={t(`overview.search.${one}`)}
              value={searches[one]}
              onChange={(search) => setSearches((all) => ({ ...all, [one]: search }))}
            />
            {tab === one ? <Panel tab={one} search={searches[one]} onLeave={onClose} /> : null}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Panel({ tab, search, onLeave }: { tab: Tab; search: string; onLeave: () => void }) {
  if (tab === 'organizations') return <OverviewOrganizations search={search} onLeave={onLeave} />;
  return <OverviewUsers kind={tab} search={search} />;
}
