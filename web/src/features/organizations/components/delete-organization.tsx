import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { useDeleteOrganization } from '../api/save-organization';

interface DeleteOrganizationProps {
  subject: Schemas['Organization'] | null;
  onClose: () => void;
  /** After it is gone; `onClose` unless the screen goes with it. */
  onDeleted?: () => void;
}

/**
 * Asks before an organization goes with its sites, which takes the same word as a site. Unlike the invoices of a deleted site,
 * those of a deleted organization are shown nowhere.
 */
export function DeleteOrganization({ subject, onClose, onDeleted }: DeleteOrganizationProps) {
  const { t } = useTranslation('organizations');
  const remove = useDeleteOrganization();
  return (
    <ConfirmMutation
      danger
      removes
      subject={subject}
      title={({ name }) => t('delete.title', { name })}
      confirmLabel={t('delete.confirm')}
      needsWord={({ siteCount }) => siteCount > 0}
      run={({ id }) => remove.mutateAsync(id)}
      done={({ name }) => t('done.deleted', { name })}
      onDone={onDeleted}
      onClose={onClose}
    >
      {({ siteCount, isCommercial }) => (
        <>
          <Text>{siteCount > 0 ? t('delete.sites', { count: siteCount }) : t('delete.owners')}</Text>
          {siteCount > 0 ? <Text>{t('delete.busy')}</Text> : null}
          {isCommercial && siteCount > 0 ? <Text>{t('delete.subscriptions')}</Text> : null}
          {isCommercial ? <Text>{t('delete.billing')}</Text> : null}
        </>
      )}
    </ConfirmMutation>
  );
}
