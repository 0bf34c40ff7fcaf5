import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useDeleteOrganization } from '../api/save-organization';

interface DeleteOrganizationProps {
  opened: boolean;
  organization: Schemas['Organization'];
  onClose: () => void;
  /** After it is gone; `onClose` unless the screen goes with it. */
  onDeleted?: () => void;
}

/** Asks before an organization goes with its sites; a refusal of the server stays in the dialog. */
export function DeleteOrganization({ opened, organization, onClose, onDeleted = onClose }: DeleteOrganizationProps) {
  const { t } = useTranslation('organizations');
  const errorText = useErrorText();
  const remove = useDeleteOrganization();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { id, name, siteCount } = organization;

  const handleConfirm = async () => {
    setRefusal(null);
    try {
      await remove.mutateAsync(id);
      toast.success(t('done.deleted', { name }));
      onDeleted();
    } catch (error) {
      setRefusal(errorText(error));
    }
  };

  return (
    <ConfirmDialog
      danger
      opened={opened}
      title={t('delete.title', { name })}
      confirmLabel={t('delete.confirm')}
      busy={remove.isPending}
      error={refusal}
      onConfirm={() => void handleConfirm()}
      onCancel={() => {
        setRefusal(null);
        onClose();
      }}
    >
      <Text>{t('delete.text', { name })}</Text>
      <Text>{siteCount > 0 ? t('delete.sites', { count: siteCount }) : t('delete.owners')}</Text>
    </ConfirmDialog>
  );
}
