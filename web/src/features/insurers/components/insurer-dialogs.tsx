import { Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useFocusBack } from '@/components/use-focus-back';
import { useLast } from '@/components/use-last';
import { useDeleteInsurer } from '../api/save-insurer';
import type { Insurer, InsurerDialog } from '../insurers.utils';
import { InsurerForm } from './insurer-form';

interface InsurerDialogsProps {
  dialog: InsurerDialog | null;
  /** The companies of the list as they are by now. */
  insurers: readonly Insurer[];
  onClose: () => void;
}

/** All dialogs of the list: the form of a new or of a present company, and the question before one goes. */
export function InsurerDialogs({ dialog, insurers, onClose }: InsurerDialogsProps) {
  const { t } = useTranslation(['insurers', 'common']);
  const shown = useLast(dialog);
  useFocusBack(dialog && 'insurer' in dialog ? `[data-insurer-menu="${dialog.insurer.id}"] button` : null);
  const present = shown && 'insurer' in shown ? shown.insurer : null;
  return (
    <>
      <Modal
        opened={dialog?.kind === 'create' || dialog?.kind === 'edit'}
        onClose={onClose}
        size={600}
        closeOnClickOutside={false}
        title={shown?.kind === 'edit' ? shown.insurer.name : t('createTitle')}
        closeButtonProps={{ 'aria-label': t('common:action.close') }}
      >
        {shown?.kind === 'create' ? <InsurerForm insurer={null} onDone={onClose} /> : null}
        {shown?.kind === 'edit' ? (
          <InsurerForm
            key={shown.insurer.id}
            insurer={insurers.find(({ id }) => id === shown.insurer.id) ?? shown.insurer}
            onDone={onClose}
          />
        ) : null}
      </Modal>
      {present && shown?.kind === 'delete' ? (
        <Removal key={present.id} opened={dialog?.kind === 'delete'} insurer={present} onClose={onClose} />
      ) : null}
    </>
  );
}

/** Asks before a company goes; a refusal of the server stays in the dialog. */
function Removal({ opened, insurer, onClose }: { opened: boolean; insurer: Insurer; onClose: () => void }) {
  const { t } = useTranslation('insurers');
  const errorText = useErrorText();
  const remove = useDeleteInsurer();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { id, name } = insurer;

  const handleConfirm = async () => {
    setRefusal(null);
    try {
      await remove.mutateAsync(id);
      toast.success(t('done.deleted', { name }));
      onClose();
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
      <Text>{t('delete.guests')}</Text>
    </ConfirmDialog>
  );
}
