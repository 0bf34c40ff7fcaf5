import { useCallback, useEffect, useRef, useState } from 'react';
import { lastActivityAt, noteCountedCall, onInput } from '@/api/activity';
import { monotonicNow } from '@/lib/clock';
import { extendSession } from './api/session';
import { secondsUntilIdle, shouldExtend, WARN_SECONDS } from './idle.utils';

/**
 * Follows the idle limit of the server. While there is time, touching the page keeps the session; in the last minute
 * only the answer to the question does. `onIdle` is called once, when the time is over.
 */
export function useIdle(idleMinutes: number, onIdle: () => void) {
  const [secondsLeft, setSecondsLeft] = useState<number>();
  const isOver = useRef(false);
  const isWarning = secondsLeft !== undefined;

  useEffect(() => {
    const check = () => {
      const left = secondsUntilIdle(lastActivityAt(), idleMinutes, monotonicNow());
      setSecondsLeft(left <= WARN_SECONDS ? left : undefined);
      if (left === 0 && !isOver.current) {
        isOver.current = true;
        onIdle();
      }
    };
    const timer = setInterval(check, 1000);
    // On waking at once, before a call is answered that the session is over: that would not say why.
    const events = ['visibilitychange', 'resume'];
    for (const name of events) document.addEventListener(name, check);
    return () => {
      clearInterval(timer);
      for (const name of events) document.removeEventListener(name, check);
    };
  }, [idleMinutes, onIdle]);

  useEffect(() => {
    if (isWarning) return undefined;
    return onInput(() => {
      if (!shouldExtend(lastActivityAt(), idleMinutes, monotonicNow())) return;
      // Noted at once, so that a burst of keys makes one call. A refusal shows itself at the next real call.
      noteCountedCall();
      extendSession().catch(() => undefined);
    });
  }, [idleMinutes, isWarning]);

  const stay = useCallback(async () => {
    await extendSession();
    setSecondsLeft(undefined);
  }, []);

  return { secondsLeft, stay };
}
