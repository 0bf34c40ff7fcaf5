import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { useRemoveCard } from '../api/save-card';
import { cardParts } from '../ui/card.utils';

interface RemoveCardProps {
  organizationId: string;
  subject: Schemas['SavedCard'] | null;
  onClose: () => void;
}

/** Asks before a card goes. */
export function RemoveCard({ organizationId, subject, onClose }: RemoveCardProps) {
  const { t } = useTranslation('cards');
  const remove = useRemoveCard(organizationId);
  return (
    <ConfirmMutation
      danger
      removes
      subject={subject}
      title={t('remove.title')}
      confirmLabel={t('remove.confirm')}
      run={({ id }) => remove.mutateAsync(id)}
      done={(card) => t('done.removed', cardParts(card))}
      onClose={onClose}
    >
      {(card) => (
        <>
          <Text>{t('remove.text', cardParts(card))}</Text>
          {card.isDefault ? <Text>{t('remove.default')}</Text> : null}
        </>
      )}
    </ConfirmMutation>
  );
}
