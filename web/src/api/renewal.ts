/**
 * Renews the cookie session, one at a time across calls and tabs: a rotating refresh token used twice would end the
 * session (DESIGN section 5). The tokens themselves are in HttpOnly cookies and are never seen here.
 */
let running: Promise<boolean> | undefined;

/** True when the session was renewed and the refused call may be tried once more. */
export function renewSession(): Promise<boolean> {
  running ??= underLock().finally(() => {
    running = undefined;
  });
  return running;
}

async function underLock(): Promise<boolean> {
  const asked = Date.now();
  if (!('locks' in navigator)) return postRefresh();
  return navigator.locks.request('berth.renewal', async () => {
    // Another tab may have renewed while this one waited for the lock.
    const renewed = sessionRenewedAt();
    if (renewed > asked) return true;
    return postRefresh();
  });
}

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('berth.renewal');
let renewedAt = 0;
channel?.addEventListener('message', (event: MessageEvent<number>) => {
  renewedAt = event.data;
});

function sessionRenewedAt(): number {
  return renewedAt;
}

async function postRefresh(): Promise<boolean> {
  try {
    const answer = await fetch('/connect/token', {
      method: 'POST',
      headers: { 'X-Berth': '1', 'X-Berth-Background': '1' },
      body: new URLSearchParams({ grant_type: 'refresh_token', session: 'cookie' }),
    });
    if (!answer.ok) return false;
    renewedAt = Date.now();
    channel?.postMessage(renewedAt);
    return true;
  } catch {
    return false;
  }
}
