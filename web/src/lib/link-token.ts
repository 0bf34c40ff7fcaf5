import { onUserForgotten } from './session-end';

/**
 * One-time tokens of links in mails. Mails put them behind the hash, which no server sees: `#access_token=…` of an
 * invitation, `#token=…&userId=…` of the other pages. The query string is read as well (spec A section 2, and links of
 * older mails). They leave the address before anything renders, so that neither history nor a shared screen keeps them.
 *
 * A link belongs to its page as long as that shows, also while it fails to load and is tried again, and is forgotten when
 * the page is left. Else Back would hand it to whoever sits at the computer then.
 */
export interface MailLink {
  token: string;
  userId: string;
}

type MailPage = '/reset-password' | '/confirm-email' | '/undo-email-change';
type InvitationPage = '/login/callback' | '/signup' | '/signup-expired';

/** The pages of both, however an address spells them: in any case of letters and with a slash behind, as the router reads it. */
const LINK_PAGE = /^(\/(?:reset-password|confirm-email|undo-email-change|login\/callback|signup(?:-expired)?))\/?$/i;

/** Of routes that show a link: what they loaded with it goes when they are left, as the link does. */
export const ONLY_ON_ITS_PAGE = { staleTime: Infinity, gcTime: 0 } as const;

/** The page whose link was followed last, and what that held: all of it, some of it or nothing. */
let held: { page: MailPage | InvitationPage; token: string | null; userId?: string | null } | undefined;
/** Gives up what is on its way with the link when its page is left. */
let leaving = new AbortController();
/** The token of the invitation that this page followed, kept in memory alone until a password is saved. */
let followed: string | undefined;

/** Takes the link out of the address, if that has one. Called first of all, before the page starts and its router listens. */
export function followLinks(): void {
  const { hash, search } = location;
  const page = linkPage();
  if (page && (hash || search)) {
    held = { page, ...linkIn(`${hash.slice(1)}&${search.slice(1)}`) };
    history.replaceState(history.state, '', page);
  }
  // In a tab that shows a page, another link to it changes the hash alone. It starts anew: what shows is of the first one.
  const startAnew = (event: Event) => {
    if (!linkPage() || !linkIn(location.hash.slice(1)).token) return;
    event.stopImmediatePropagation();
    location.reload();
  };
  addEventListener('popstate', startAnew, { capture: true });
  // A browser may keep the whole page in memory, with what was taken.
  addEventListener('pageshow', ({ persisted }) => persisted && held && location.reload());
}

/** The page of links that the address names, if it names one. */
function linkPage() {
  const path = location.pathname.replace(/%[2-7][\da-f]/gi, decodeURIComponent).replace(/\/+/g, '/');
  return LINK_PAGE.exec(path)?.[1]?.toLowerCase() as MailPage | InvitationPage | undefined;
}

function linkIn(text: string) {
  const parts = new URLSearchParams(text);
  return { token: parts.get('access_token') || parts.get('token'), userId: parts.get('userId') };
}

/** Another page loads: forgets the link of the one that is left. */
export function leaveLinkPage(pathname: string): void {
  if (!held || held.page === pathname) return;
  held = undefined;
  leaving.abort();
}

/** Returns what the link to `page` held, if it was whole. */
export function heldMailLink(page: MailPage): MailLink | undefined {
  const { token, userId } = (held?.page === page && held) || {};
  return token && userId ? { token, userId } : undefined;
}

/** Returns the token of the invitation whose link led to `page`, if there was one. */
export function heldInvitation(page: InvitationPage): string | undefined {
  return (held?.page === page && held.token) || undefined;
}

/** Hands the token of an invitation on to the next screen, without the address or the history keeping it. */
export function passInvitation(token: string, page: InvitationPage): void {
  held = { page, token };
}

/** Returns the signal that tells that the page of the link is left. A sign-in by it must not go through then. */
export function linkSignal(): AbortSignal {
  if (leaving.signal.aborted) leaving = new AbortController();
  return leaving.signal;
}

/** Remembers which invitation is being followed: its first step ends after ten minutes, the link itself does not. */
export function followInvitation(linkToken: string): void {
  followed = linkToken;
}

/** The invitation that is being followed on this page, if any. */
export function followedInvitation(): string | undefined {
  return followed;
}

/** The invitation is not followed any more: the password is saved, or nothing of the user may be left. */
export function leaveInvitation(): void {
  followed = undefined;
}
onUserForgotten(leaveInvitation);
