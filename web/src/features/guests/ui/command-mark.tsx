import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOpenCommand } from '../api/open-commands';

/** Says in a row that a command on the guest has no outcome yet; nothing while it is simply on its way. */
export function CommandMark({ guestId }: { guestId: string }) {
  const { t } = useTranslation('guests');
  const state = useOpenCommand(guestId)?.state;
  if (state !== 'unsent' && state !== 'unknown') return null;
  return (
    <Text span size="sm" fw={600} c="var(--berth-pending)">
      {t(`wait.${state}`)}
    </Text>
  );
}
