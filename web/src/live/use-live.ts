import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { LiveConnection, type LiveStatus } from './live-connection';

/** Holds the live connection open while the component is mounted and tells its status. */
export function useLiveConnection(onRefused: () => void): LiveStatus {
  const queryClient = useQueryClient();
  const connection = useMemo(() => new LiveConnection({ queryClient, onRefused }), [queryClient, onRefused]);
  useEffect(() => connection.start(), [connection]);
  return useSyncExternalStore(connection.subscribe, () => connection.status);
}
