import { useEffect, useState } from 'react';

/**
 * Returns true from the moment in which Move mode was ended by somebody else until the user's next key or press, which was
 * meant for the mode: Escape would close the whole board. `ending` is different for each such end, null for none.
 */
export function useLateKey(ending: number | null): boolean {
  const [heard, setHeard] = useState<number | null>(null);
  const isAwaited = ending !== null && ending !== heard;
  useEffect(() => {
    if (!isAwaited) return undefined;
    const hear = () => setHeard(ending);
    const events = ['keyup', 'pointerdown'] as const;
    for (const event of events) window.addEventListener(event, hear, { capture: true });
    return () => {
      for (const event of events) window.removeEventListener(event, hear, { capture: true });
    };
  }, [isAwaited, ending]);
  return isAwaited;
}
