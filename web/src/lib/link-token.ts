/**
 * One-time tokens of links in mails. Mails put them behind the hash, which no server sees: `#access_token=…` of an
 * invitation, `#token=…&userId=…` of the other pages. The query string is read as well (spec A section 2, and links of
 * older mails). They leave the address before anything renders, so that neither history nor a shared screen keeps them.
 */
export interface MailLink {
  token: string;
  userId: string;
}

const MAIL_PAGES = ['/reset-password', '/confirm-email', '/undo-email-change'];
const INVITATION_PAGES = ['/login/callback', '/signup', '/signup-expired'];

/**
 * Of routes whose loader takes a link: it is there as long as the page is, and gone when the page is left. Else Back would
 * hand it to whoever sits at the computer then.
 */
export const ONLY_ON_ITS_PAGE = { staleTime: Infinity, gcTime: 0 } as const;

let token: string | undefined;
let mailLink: MailLink | undefined;
/** The token of the invitation that this page followed, kept in memory alone until a password is saved. */
let followed: string | undefined;

/** Called first of all, before the page starts. */
export function scrubLinkToken(): void {
  const { hash, pathname, search } = location;
  if (hash === '' && search === '') return;
  const isInvitation = INVITATION_PAGES.includes(pathname);
  if (!isInvitation && !MAIL_PAGES.includes(pathname)) return;
  const parts = [new URLSearchParams(hash.slice(1)), new URLSearchParams(search)];
  const read = (name: string) => parts.map((part) => part.get(name)).find((value) => value !== null && value !== '');
  if (isInvitation) {
    token = read('access_token') ?? read('token') ?? undefined;
  } else {
    const [linkToken, userId] = [read('token'), read('userId')];
    mailLink = linkToken && userId ? { token: linkToken, userId } : undefined;
  }
  history.replaceState(history.state, '', pathname);
  // A browser may keep the whole page in memory, with what was taken.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
}

/** The token of an invitation, if there was one; the next call gets undefined. */
export function takeLinkToken(): string | undefined {
  const taken = token;
  token = undefined;
  return taken;
}

/** Hands the token of an invitation on to the next screen, without the address or the history keeping it. */
export function passLinkToken(taken: string): void {
  token = taken;
}

/** Remembers which invitation is being followed: its first step ends after ten minutes, the link itself does not. */
export function followInvitation(linkToken: string): void {
  followed = linkToken;
}

/** The invitation that is being followed on this page, if any. */
export function followedInvitation(): string | undefined {
  return followed;
}

/** The password is saved, or somebody else signs in: the invitation is not followed any more. */
export function leaveInvitation(): void {
  followed = undefined;
}

/** What the link of a mail held, if anything; the next call gets undefined. */
export function takeMailLink(): MailLink | undefined {
  const taken = mailLink;
  mailLink = undefined;
  return taken;
}
