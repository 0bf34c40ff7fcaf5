import { useCallback, useEffect, useRef } from 'react';

/** Tells whether the component is still on the screen; for what an answer does that comes late. */
export function useIsShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useCallback(() => isShown.current, []);
}
