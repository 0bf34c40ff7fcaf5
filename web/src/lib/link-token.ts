/**
 * The one-time token of an invitation link, `/login/callback#access_token=…`. It leaves the address before anything
 * renders, so that neither history nor a shared screen keeps it, and it is handed out once.
 */
let token: string | undefined;

/** Called first of all, before the page starts. */
export function scrubLinkToken(): void {
  if (location.pathname !== '/login/callback' || location.hash === '') return;
  token = new URLSearchParams(location.hash.slice(1)).get('access_token') ?? undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
}

/** The token, if there was one; the next call gets undefined. */
export function takeLinkToken(): string | undefined {
  const taken = token;
  token = undefined;
  return taken;
}
