import { onSessionEnd } from '@/lib/session-end';
import { safeReturnPath } from '@/lib/return-path';
import { dropDeadConnections } from '@/live/drop-dead-connections';
import type { createAppRouter } from './router';

/**
 * Leads to /login when a session ends (spec A section 8). After a 401 the address is kept as the way back; whoever
 * signed out in another tab starts anew. The sign-out screen leads there by itself.
 */
export function leaveOnSessionEnd(router: ReturnType<typeof createAppRouter>): () => void {
  return onSessionEnd((reason) => {
    if (reason !== 'refused' && reason !== 'elsewhere') return;
    const returnTo = reason === 'refused' ? safeReturnPath(router.state.location.href) : undefined;
    void router.navigate({ to: '/login', search: returnTo ? { returnTo } : {} });
    // All tabs share the browser's connections. If those are dead, loading the sign-in here would keep the tab that signs out from them.
    if (reason === 'elsewhere') void dropDeadConnections(false);
  });
}
