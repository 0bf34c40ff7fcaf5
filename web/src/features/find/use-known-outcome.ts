import { useEffect, useRef, useState } from 'react';
import { askUntilKnown, type Waiting } from '@/api/ask-until-known';

/**
 * Sends what must not be lost or happen twice: one call at a time, repeated until its outcome is known. A second press while one is
 * on its way does nothing.
 */
export function useKnownOutcome() {
  const [isSending, setSending] = useState(false);
  const [waiting, setWaiting] = useState<Waiting>();
  const isBusy = useRef(false);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  /** Resolves with undefined if another call is on its way. */
  const send = async <T>(call: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
    if (isBusy.current) return undefined;
    isBusy.current = true;
    setSending(true);
    try {
      return await askUntilKnown(call, { onWaiting: setWaiting });
    } finally {
      isBusy.current = false;
      setSending(false);
      setWaiting(undefined);
    }
  };
  /** Returns true if the visitor has gone to another view in the meantime. */
  const isLeft = () => !isShown.current;
  return { send, isSending, waiting, isLeft };
}
