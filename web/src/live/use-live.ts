import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { LiveConnection, type LiveStatus } from './live-connection';

/** Holds the live connection open while the component is mounted and it is wanted, and tells its status. */
export function useLiveConnection(onRefused: () => void, isWanted = true): LiveStatus {
  const queryClient = useQueryClient();
  const connection = useMemo(() => new LiveConnection({ queryClient, onRefused }), [queryClient, onRefused]);
  useEffect(() => (isWanted ? connection.start() : undefined), [connection, isWanted]);
  return useSyncExternalStore(connection.subscribe, () => connection.status);
}
