import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useRemoveBed, useSaveBed } from '../api/save-bed';
import { useDeleteRoom } from '../api/save-room';
import { draftOf, type HousesDialog } from '../houses.utils';

interface RemovalDialogsProps {
  readonly siteId: string;
  readonly dialog: HousesDialog | null;
  /** The dialog to draw while it fades out. */
  readonly shown: HousesDialog | null;
  readonly onClose: () => void;
}

/** Questions before a house or a bed goes, or goes out of use. They name what they touch. */
export function RemovalDialogs({ siteId, dialog, shown, onClose }: RemovalDialogsProps) {
  const { t } = useTranslation('houses');
  const errorText = useErrorText();
  const [failed, setFailed] = useState<{ dialog: HousesDialog | null; text: string } | null>(null);
  const deleteRoom = useDeleteRoom(siteId);
  const removeBed = useRemoveBed(siteId);
  const saveBed = useSaveBed(siteId);
  const isBusy = deleteRoom.isPending || removeBed.isPending || saveBed.isPending;
  const error = failed && failed.dialog === dialog ? failed.text : null;

  const run = async (work: () => Promise<unknown>, done: string) => {
    setFailed(null);
    try {
      await work();
      toast.success(done);
      onClose();
    } catch (failure) {
      setFailed({ dialog, text: errorText(failure) });
    }
  };
  const common = { busy: isBusy, error, onCancel: onClose };

  switch (shown?.kind) {
    case 'delete-house': {
      const { id, name, beds } = shown.room;
      return (
        <ConfirmDialog
          {...common}
          danger
          opened={dialog?.kind === 'delete-house'}
          title={t('remove.houseTitle', { house: name })}
          confirmLabel={t('remove.houseConfirm')}
          onConfirm={() => void run(() => deleteRoom.mutateAsync(id), t('done.houseDeleted', { house: name }))}
        >
          <Text>{t('remove.houseText', { name })}</Text>
          {beds.length > 0 && <Text>{t('remove.houseBeds', { count: beds.length })}</Text>}
        </ConfirmDialog>
      );
    }
    case 'remove-bed': {
      const { id, name } = shown.bed;
      return (
        <ConfirmDialog
          {...common}
          danger
          opened={dialog?.kind === 'remove-bed'}
          title={t('remove.bedTitle', { bed: name })}
          confirmLabel={t('remove.bedConfirm')}
          onConfirm={() => void run(() => removeBed.mutateAsync(id), t('done.bedRemoved', { bed: name }))}
        >
          <Text>{t('remove.bedText', { name })}</Text>
        </ConfirmDialog>
      );
    }
    case 'disable-bed': {
      const { bed } = shown;
      const draft = { ...draftOf(bed), disabled: true };
      return (
        <ConfirmDialog
          {...common}
          opened={dialog?.kind === 'disable-bed'}
          title={t('disable.title', { bed: bed.name })}
          confirmLabel={t('disable.confirm')}
          onConfirm={() => void run(() => saveBed.mutateAsync(draft), t('done.bedDisabled', { bed: bed.name }))}
        >
          <Text>{t('disable.text', { bed: bed.name, house: bed.room.name })}</Text>
        </ConfirmDialog>
      );
    }
    default:
      return null;
  }
}
