import { type ReactNode, useCallback, useState } from 'react';
import { ApiError } from '@/api/errors';
import { FreshProofDialog } from '../components/fresh-proof-dialog';

/**
 * For changes that the server takes only with a proof of the last five minutes. `withProof` tries; if the server asks
 * for the proof, the dialog does, and the change is tried again. It resolves to false when the user cancels.
 */
export function useFreshProof(): {
  withProof: (change: () => Promise<unknown>) => Promise<boolean>;
  dialog: ReactNode;
} {
  const [answer, setAnswer] = useState<{ give: (isProved: boolean) => void }>();

  const withProof = useCallback(async (change: () => Promise<unknown>) => {
    try {
      await change();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'fresh-proof')) throw error;
    }
    const isProved = await new Promise<boolean>((give) => setAnswer({ give }));
    setAnswer(undefined);
    if (isProved) await change();
    return isProved;
  }, []);

  const dialog = answer ? (
    <FreshProofDialog onProved={() => answer.give(true)} onCancel={() => answer.give(false)} />
  ) : null;
  return { withProof, dialog };
}
