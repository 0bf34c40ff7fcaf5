import { Button, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus, ShieldPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/components/empty-state';
import { lazyDialog } from '@/components/lazy-named';
import { PageHeader } from '@/components/page-header';
import { SearchInput } from '@/components/search-input';
import { insurersQuery } from '../api/insurers-query';
import { InsurersGrid } from './insurers-grid';
import { type InsurerDialog, pageOf } from '../insurers.utils';
import type { InsurersSearch } from '../insurers-search';

const InsurerDialogs = lazyDialog(() => import('./insurer-dialogs'), 'InsurerDialogs');

/** The insurance companies of the platform, kept by global admins (spec B section 2). */
export function InsurersPage({ search: { search, page } }: { search: InsurersSearch }) {
  const { t } = useTranslation('insurers');
  const navigate = useNavigate();
  const { data: insurers } = useSuspenseQuery(insurersQuery);
  const [dialog, setDialog] = useState<InsurerDialog | null>(null);
  const shown = pageOf(insurers, search, page);

  const go = (next: InsurersSearch) =>
    void navigate({ to: '/insurances', search: next, replace: true, resetScroll: false });
  const create = (
    <Button
      leftSection={<Plus size={18} aria-hidden />}
      onClick={() => setDialog({ kind: 'create' })}
      data-tour="create-insurer"
    >
      {t('action.create')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} actions={insurers.length > 0 ? create : null} />
      {insurers.length === 0 ? (
        <EmptyState
          icon={<ShieldPlus size={32} strokeWidth={1.5} />}
          title={t('empty')}
          hint={t('emptyHint')}
          action={create}
        />
      ) : (
        <Stack gap="md">
          <SearchInput
            label={t('search')}
            value={search}
            onChange={(text) => go({ search: text, page: 1 })}
            tour="search-insurers"
          />
          {shown.found === 0 ? (
            <EmptyState icon={<ShieldPlus size={32} strokeWidth={1.5} />} title={t('none')} hint={t('noneHint')} />
          ) : (
            <InsurersGrid
              {...shown}
              onPageChange={(next) => go({ search, page: next })}
              onAction={(kind, insurer) => setDialog({ kind, insurer })}
            />
          )}
        </Stack>
      )}
      <InsurerDialogs subject={dialog} insurers={insurers} onClose={() => setDialog(null)} />
    </>
  );
}
