import { useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';

/**
 * Returns true once what is known of a query is as new as it gets, and from then on: what another screen left in the cache may
 * be old until it is loaded again. Without a network, or if that fails, what is known must do.
 */
export function useOnceCurrent({ isStale, fetchStatus }: Pick<UseQueryResult, 'isStale' | 'fetchStatus'>): boolean {
  const [wasCurrent, setWasCurrent] = useState(false);
  const isCurrent = wasCurrent || !isStale || fetchStatus !== 'fetching';
  if (isCurrent && !wasCurrent) setWasCurrent(true);
  return isCurrent;
}
