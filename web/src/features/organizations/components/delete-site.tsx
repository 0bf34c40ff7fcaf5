import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useDeleteSite } from '@/features/sites/api/delete-site';

interface DeleteSiteProps {
  opened: boolean;
  site: { id: string; name: string };
  onClose: () => void;
}

/** Asks before a site goes (spec A section 2, Organization detail); a refusal of the server stays in the dialog. */
export function DeleteSite({ opened, site, onClose }: DeleteSiteProps) {
  const { t } = useTranslation('organizations');
  const errorText = useErrorText();
  const remove = useDeleteSite();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { id, name } = site;

  const handleConfirm = async () => {
    setRefusal(null);
    try {
      await remove.mutateAsync(id);
      toast.success(t('done.siteDeleted', { name }));
      onClose();
    } catch (error) {
      setRefusal(errorText(error));
    }
  };

  return (
    <ConfirmDialog
      danger
      opened={opened}
      title={t('deleteSite.title', { name })}
      confirmLabel={t('deleteSite.confirm')}
      busy={remove.isPending}
      error={refusal}
      onConfirm={() => void handleConfirm()}
      onCancel={() => {
        setRefusal(null);
        onClose();
      }}
    >
      <Text>{t('deleteSite.text', { name })}</Text>
      <Text>{t('deleteSite.hint')}</Text>
    </ConfirmDialog>
  );
}
