import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveStatus } from '@/live/live-connection';
import classes from './shell.module.css';

/** Short breaks are not worth a word, in milliseconds. */
const PATIENCE_MILLISECONDS = 2000;

/** Says quietly that changes of others do not arrive just now. */
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
    <span role="status" className={isLate ? classes.live : undefined}>
      {isLate ? (
        <>
          <span className={classes.liveDot} aria-hidden />
          {t('live.reconnecting')}
        </>
      ) : null}
    </span>
  );
}
