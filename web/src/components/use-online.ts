import { useEffect } from 'react';
import { onReturn } from '@/lib/lost-connection';

/** Calls back whenever the network is there again, and some more times until it surely is. */
export function useOnline(callback: () => void): void {
  useEffect(() => onReturn(callback), [callback]);
}
