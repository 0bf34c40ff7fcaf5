import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/dialog/confirm-dialog';
import { useErrorText } from '@/components/use-error-text';
import { formatCountdown } from '@/lib/format';
import { useIdle } from '../use-idle';

interface IdleDialogProps {
  /** Minutes without a sign of the user after which the server ends the session. */
  idleMinutes: number;
  onSignOut: (reason: 'idle' | 'wanted') => void;
}

/** One minute before the server signs the user out, asks whether to stay (WCAG 2.2.1). */
export function IdleDialog({ idleMinutes, onSignOut }: IdleDialogProps) {
  const { t } = useTranslation('shell');
  const errorText = useErrorText();
  const [error, setError] = useState<string>();
  const { secondsLeft, stay } = useIdle(idleMinutes, () => onSignOut('idle'));
  const handleStay = () => {
    stay().then(
      () => setError(undefined),
      (failure: unknown) => setError(errorText(failure)),
    );
  };
  return (
    <ConfirmDialog
      subject={secondsLeft !== undefined && secondsLeft > 0}
      title={t('idle.title')}
      confirmLabel={t('idle.stay')}
      cancelLabel={t('logout')}
      error={error}
      onConfirm={handleStay}
      onClose={handleStay}
      onCancel={() => onSignOut('wanted')}
    >
      <Text>{t('idle.text')}</Text>
      {/* The clock itself is not announced each second; the sentence above is enough. */}
      <Text fz={32} fw={650} className="tabular" aria-hidden>
        {formatCountdown(secondsLeft ?? 0)}
      </Text>
    </ConfirmDialog>
  );
}
