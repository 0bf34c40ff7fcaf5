import { Alert } from '@mantine/core';
import { CloudOff, Hourglass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CommandState } from '../api/guest-commands';

/** Says that a command has no outcome yet: not sent, or sent and not answered. Nothing while it is simply on its way. */
export function CommandWait({ state }: { state: CommandState | undefined }) {
  const { t } = useTranslation('guests');
  const isWaiting = state === 'unsent' || state === 'unknown';
  const Icon = state === 'unsent' ? CloudOff : Hourglass;
  return (
    <div role="status">
      {isWaiting ? (
        <Alert color="yellow" icon={<Icon size={20} aria-hidden />} title={t(`wait.${state}`)}>
          {t(`wait.${state}Text`)}
        </Alert>
      ) : null}
    </div>
  );
}
