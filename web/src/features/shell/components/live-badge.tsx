import { Portal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveStatus } from '@/live/live-connection';
import classes from './shell.module.css';

/** Short breaks are not worth a word, in milliseconds. */
const PATIENCE_MILLISECONDS = 2000;

/**
 * Says that the connection is gone: changes of others do not arrive, and none can be made. It stands above everything,
 * since the board and every form are dialogs that cover the header, and it takes no click from what lies below it.
 */
export function LiveBadge({ status }: { status: LiveStatus }) {
  const { t } = useTranslation('shell');
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (status !== 'reconnecting') return undefined;
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [status]);
  return (
    <Portal>
      <div role="status" className={isLate ? classes.live : undefined}>
        {isLate ? (
          <>
            <span className={classes.liveDot} aria-hidden />
            {t('live.reconnecting')}
          </>
        ) : null}
      </div>
    </Portal>
  );
}
