import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { Dialog } from '@/components/dialog/dialog';
import { ofKind } from '@/components/dialog/dialog-subject';
import { useDeleteInsurer } from '../api/save-insurer';
import type { Insurer, InsurerDialog } from '../insurers.utils';
import { InsurerForm } from './insurer-form';

interface InsurerDialogsProps {
  subject: InsurerDialog | null;
  /** The companies of the list as they are by now. */
  insurers: readonly Insurer[];
  onClose: () => void;
}

/** All dialogs of the list: the form of a new or of a present company, and the question before one goes. */
export function InsurerDialogs({ subject, insurers, onClose }: InsurerDialogsProps) {
  const { t } = useTranslation('insurers');
  const remove = useDeleteInsurer();
  return (
    <>
      <Dialog subject={ofKind(subject, 'create')} title={t('createTitle')} onClose={onClose}>
        <InsurerForm insurer={null} onDone={onClose} />
      </Dialog>
      <Dialog subject={ofKind(subject, 'edit')} title={({ insurer }) => insurer.name} onClose={onClose}>
        {({ insurer }) => (
          <InsurerForm insurer={insurers.find(({ id }) => id === insurer.id) ?? insurer} onDone={onClose} />
        )}
      </Dialog>
      <ConfirmMutation
        danger
        removes
        subject={ofKind(subject, 'delete')}
        title={({ insurer }) => t('delete.title', { name: insurer.name })}
        confirmLabel={t('delete.confirm')}
        run={({ insurer }) => remove.mutateAsync(insurer.id)}
        done={({ insurer }) => t('done.deleted', { name: insurer.name })}
        onClose={onClose}
      >
        {({ insurer }) => (
          <>
            <Text>{t('delete.text', { name: insurer.name })}</Text>
            <Text>{t('delete.guests')}</Text>
          </>
        )}
      </ConfirmMutation>
    </>
  );
}
