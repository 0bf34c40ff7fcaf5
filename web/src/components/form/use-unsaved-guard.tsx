import { Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../dialog/confirm-dialog';
import { useCloseGuard } from '../dialog/dialog-context';

export interface UnsavedGuardOptions {
  /** Replaces the default question about leaving the page. */
  text?: string;
  /** Called when the user chooses to leave, before the page changes. */
  onLeave?: () => void;
}

/**
 * Asks before unsaved changes are lost by closing the dialog, navigating or closing the tab. Does not ask when the session
 * has ended: its data must not stay on the screen.
 *
 * `release` turns the guard off, for example after a save, until the next change.
 */
export function useUnsavedGuard(
  isUnsaved: boolean,
  { text, onLeave }: UnsavedGuardOptions = {},
): { question: ReactNode; release: () => void } {
  const { t } = useTranslation();
  const isReleased = useRef(false);
  const latest = useRef(isUnsaved);
  useEffect(() => {
    latest.current = isUnsaved;
    if (!isUnsaved) isReleased.current = false;
  }, [isUnsaved]);
  // Reads the latest state: the router may ask another guard first, and this render is outdated when it gets here.
  const mustAsk = () => latest.current && !isReleased.current;
  const release = () => {
    isReleased.current = true;
  };
  useCloseGuard({ ask: () => (mustAsk() ? 'ask' : 'close'), release });
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => mustAsk() && !isEndOfSession(next),
    enableBeforeUnload: mustAsk,
    disabled: !isUnsaved,
    withResolver: true,
  });
  const question = (
    <ConfirmDialog
      danger
      subject={blocker.status === 'blocked'}
      title={t('leavePage.title')}
      confirmLabel={t('action.leave')}
      cancelLabel={t('action.stay')}
      onConfirm={() => {
        onLeave?.();
        release();
        blocker.proceed?.();
      }}
      onCancel={() => blocker.reset?.()}
    >
      <Text>{text ?? t('leavePage.text')}</Text>
    </ConfirmDialog>
  );
  return { question, release };
}

/** Returns true for the navigation after a 401 or the idle limit; signing out by hand still asks. */
function isEndOfSession({ pathname, search }: { pathname: string; search: object }): boolean {
  return pathname === '/login' || (pathname === '/logout' && 'reason' in search && search.reason === 'idle');
}
