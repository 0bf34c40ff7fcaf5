import { useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';

/**
 * Returns true once the query has been loaded again, and from then on: what another screen left in the cache may be old. Stale data
 * counts as current only if loading fails or there is no network.
 */
export function useOnceCurrent({ isStale, fetchStatus }: Pick<UseQueryResult, 'isStale' | 'fetchStatus'>): boolean {
  const [wasCurrent, setWasCurrent] = useState(false);
  const isCurrent = wasCurrent || !isStale || fetchStatus !== 'fetching';
  if (isCurrent && !wasCurrent) setWasCurrent(true);
  return isCurrent;
}
