import { Portal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpenCommands } from '@/features/guests/api/open-commands';
import type { LiveStatus } from '@/live/live-connection';
import classes from './shell.module.css';

/** Short breaks are not worth a word, in milliseconds. */
const PATIENCE_MILLISECONDS = 2000;

/**
 * Says that the connection is gone, so that changes of others do not arrive, and that own changes are not sent or not
 * confirmed. It stands above everything, since the board and every form are dialogs that cover the header, and it takes
 * no click from what lies below it.
 */
export function LiveBadge({ status }: { status: LiveStatus }) {
  const { t } = useTranslation('shell');
  const [isLate, setIsLate] = useState(false);
  const open = useOpenCommands();
  useEffect(() => {
    if (status !== 'reconnecting') return undefined;
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [status]);
  const count = (state: 'unsent' | 'unknown') => open.filter((command) => command.state === state).length;
  const lines = [
    isLate ? t('live.reconnecting') : null,
    count('unsent') > 0 ? t('live.unsent', { count: count('unsent') }) : null,
    count('unknown') > 0 ? t('live.unknown', { count: count('unknown') }) : null,
  ].filter((line) => line !== null);
  const isShown = lines.length > 0;
  // Keeps room for the badge at the foot of every screen and dialog, so that it covers no button (global.css).
  useEffect(() => {
    document.documentElement.toggleAttribute('data-badge', isShown);
    return () => document.documentElement.removeAttribute('data-badge');
  }, [isShown]);
  return (
    <Portal>
      <div role="status" className={isShown ? classes.live : undefined}>
        {isShown ? (
          <>
            <span className={classes.liveDot} aria-hidden />
            <span>{lines.join(' ')}</span>
          </>
        ) : null}
      </div>
    </Portal>
  );
}
