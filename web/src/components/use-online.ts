import { useEffect } from 'react';

/** Calls back whenever the network is there again. */
export function useOnline(callback: () => void): void {
  useEffect(() => {
    window.addEventListener('online', callback);
    return () => window.removeEventListener('online', callback);
  }, [callback]);
}
