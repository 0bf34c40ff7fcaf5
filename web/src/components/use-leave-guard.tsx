import { Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './dialog/confirm-dialog';

interface LeaveGuardOptions {
  /** In place of the spec's general text. */
  text?: string;
  /** Called when the user leaves all the same, before the page changes. */
  onLeave?: () => void;
}

/**
 * Asks before unsaved changes are lost, by navigation inside the app and by closing the tab. A session that has ended is
 * not asked about: what it showed must not stay on the screen.
 * Returns the dialog; put it anywhere in the view.
 */
export function useLeaveGuard(dirty: boolean, { text, onLeave }: LeaveGuardOptions = {}): ReactNode {
  const { t } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => dirty && !isEndOfSession(next),
    enableBeforeUnload: () => dirty,
    disabled: !dirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      subject={blocker.status === 'blocked'}
      title={t('leavePage.title')}
      confirmLabel={t('action.leave')}
      cancelLabel={t('action.stay')}
      danger
      onConfirm={() => {
        onLeave?.();
        blocker.proceed?.();
      }}
      onCancel={() => blocker.reset?.()}
    >
      <Text>{text ?? t('leavePage.text')}</Text>
    </ConfirmDialog>
  );
}

/** The way out after a 401 or after the idle limit; signing out by hand is asked about. */
function isEndOfSession({ pathname, search }: { pathname: string; search: object }): boolean {
  return pathname === '/login' || (pathname === '/logout' && 'reason' in search && search.reason === 'idle');
}
