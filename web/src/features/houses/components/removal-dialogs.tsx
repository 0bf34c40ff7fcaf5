import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { ofKind } from '@/components/dialog/dialog-subject';
import { useRemoveBed } from '../api/save-bed';
import { useDeleteRoom } from '../api/save-room';
import type { HousesDialog } from '../houses.utils';

interface RemovalDialogsProps {
  readonly siteId: string;
  readonly subject: HousesDialog | null;
  readonly onClose: () => void;
}

/** Questions before a house or a bed goes. They name what they touch. */
export function RemovalDialogs({ siteId, subject, onClose }: RemovalDialogsProps) {
  const { t } = useTranslation('houses');
  const deleteRoom = useDeleteRoom(siteId);
  const removeBed = useRemoveBed(siteId);
  return (
    <>
      <ConfirmMutation
        danger
        removes
        subject={ofKind(subject, 'delete-house')?.room}
        title={({ name }) => t('remove.houseTitle', { house: name })}
        confirmLabel={t('remove.houseConfirm')}
        run={({ id }) => deleteRoom.mutateAsync(id)}
        done={({ name }) => t('done.houseDeleted', { house: name })}
        onClose={onClose}
      >
        {({ name, beds }) => (
          <>
            <Text>{t('remove.houseText', { name })}</Text>
            {beds.length > 0 && <Text>{t('remove.houseBeds', { count: beds.length })}</Text>}
          </>
        )}
      </ConfirmMutation>
      <ConfirmMutation
        danger
        removes
        subject={ofKind(subject, 'remove-bed')?.bed}
        title={({ name }) => t('remove.bedTitle', { bed: name })}
        confirmLabel={t('remove.bedConfirm')}
        run={({ id }) => removeBed.mutateAsync(id)}
        done={({ name }) => t('done.bedRemoved', { bed: name })}
        onClose={onClose}
      >
        {({ name }) => <Text>{t('remove.bedText', { name })}</Text>}
      </ConfirmMutation>
    </>
  );
}
