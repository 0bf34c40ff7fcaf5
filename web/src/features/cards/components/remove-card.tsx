import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useFocusBack } from '@/components/use-focus-back';
import { useLast } from '@/components/use-last';
import { useRemoveCard } from '../api/save-card';
import { cardParts } from '../card.utils';

interface RemoveCardProps {
  organizationId: string;
  /** The card that is asked about; null while none is. */
  card: Schemas['SavedCard'] | null;
  onClose: () => void;
}

/** Asks before a card goes; a refusal stays in the dialog. */
export function RemoveCard({ organizationId, card, onClose }: RemoveCardProps) {
  const { t } = useTranslation('cards');
  const errorText = useErrorText();
  const remove = useRemoveCard(organizationId);
  const [refusal, setRefusal] = useState<string | null>(null);
  const shown = useLast(card);
  useFocusBack(card ? `[data-card-menu="${card.id}"] button` : null);
  if (!shown) return null;

  const handleConfirm = async () => {
    setRefusal(null);
    try {
      await remove.mutateAsync(shown.id);
      toast.success(t('done.removed', cardParts(shown)));
      onClose();
    } catch (error) {
      setRefusal(errorText(error));
    }
  };

  return (
    <ConfirmDialog
      danger
      opened={card !== null}
      title={t('remove.title')}
      confirmLabel={t('remove.confirm')}
      busy={remove.isPending}
      error={refusal}
      onConfirm={() => void handleConfirm()}
      onCancel={() => {
        setRefusal(null);
        onClose();
      }}
    >
      <Text>{t('remove.text', cardParts(shown))}</Text>
      {shown.isDefault ? <Text>{t('remove.default')}</Text> : null}
    </ConfirmDialog>
  );
}
