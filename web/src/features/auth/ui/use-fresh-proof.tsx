import { type ReactNode, useCallback, useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { FreshProofDialog } from '../components/fresh-proof-dialog';

/**
 * For changes that the server takes only with a proof of the last five minutes. `withProof` tries; if the server asks
 * for the proof, the dialog does, and the change is tried again. It resolves to false when the user cancels, in the dialog
 * or in the form around it, which calls `giveUp`: what comes of the change after that is told to nobody.
 */
export function useFreshProof(): {
  withProof: (change: () => Promise<unknown>) => Promise<boolean>;
  giveUp: () => void;
  dialog: ReactNode;
} {
  const [answer, setAnswer] = useState<{ give: (isProved: boolean) => void }>();
  /** Number of times that the user has given up. */
  const givenUp = useRef(0);

  const withProof = useCallback(async (change: () => Promise<unknown>) => {
    const before = givenUp.current;
    const isWanted = () => givenUp.current === before;
    try {
      if (!(await isDone(change))) {
        if (!isWanted()) return false;
        const isProved = await new Promise<boolean>((give) => setAnswer({ give }));
        setAnswer(undefined);
        if (!isProved) return false;
        await change();
      }
    } catch (error) {
      if (isWanted()) throw error;
    }
    return isWanted();
  }, []);
  const giveUp = useCallback(() => {
    givenUp.current += 1;
  }, []);

  const dialog = answer ? (
    <FreshProofDialog onProved={() => answer.give(true)} onCancel={() => answer.give(false)} />
  ) : null;
  return { withProof, giveUp, dialog };
}

/** Returns false if the server asks for the proof first. */
async function isDone(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'fresh-proof') return false;
    throw error;
  }
}
