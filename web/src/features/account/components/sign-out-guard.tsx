import { Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/dialog/confirm-dialog';
import { guestCommands } from '@/features/guests/api/guest-commands';

/** Asks before somebody signs out while a change is not sent or not confirmed. The idle limit is not asked. */
export function SignOutGuard() {
  const { t } = useTranslation('shell');
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => {
      const isIdle = 'reason' in next.search && next.search.reason === 'idle';
      return next.pathname === '/logout' && !isIdle && guestCommands.open.length > 0;
    },
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      subject={blocker.status === 'blocked'}
      title={t('signOutGuard.title')}
      confirmLabel={t('signOutGuard.leave')}
      cancelLabel={t('signOutGuard.stay')}
      danger
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      <Text>{t('signOutGuard.text')}</Text>
    </ConfirmDialog>
  );
}
