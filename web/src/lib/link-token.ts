/**
 * One-time tokens of links in mails: `/login/callback#access_token=…` and `/signup?token=…` of an invitation,
 * `?token=…&userId=…` of the pages that a mail leads to. They leave the address before anything renders, so that neither history nor a shared screen
 * keeps them, and each is handed out once.
 */
export interface MailLink {
  token: string;
  userId: string;
}

const MAIL_PAGES = ['/reset-password', '/confirm-email'];
const INVITATION_PAGES = ['/signup', '/signup-expired'];

let token: string | undefined;
let mailLink: MailLink | undefined;

/** Called first of all, before the page starts. */
export function scrubLinkToken(): void {
  if (location.pathname === '/login/callback' && location.hash !== '') {
    token = new URLSearchParams(location.hash.slice(1)).get('access_token') ?? undefined;
    history.replaceState(history.state, '', location.pathname + location.search);
  } else if (INVITATION_PAGES.includes(location.pathname) && location.search !== '') {
    token = new URLSearchParams(location.search).get('token') ?? undefined;
    history.replaceState(history.state, '', location.pathname);
  } else if (MAIL_PAGES.includes(location.pathname) && location.search !== '') {
    const query = new URLSearchParams(location.search);
    const [linkToken, userId] = [query.get('token'), query.get('userId')];
    mailLink = linkToken && userId ? { token: linkToken, userId } : undefined;
    history.replaceState(history.state, '', location.pathname);
  }
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

/** What the query of a mail's link held, if anything; the next call gets undefined. */
export function takeMailLink(): MailLink | undefined {
  const taken = mailLink;
  mailLink = undefined;
  return taken;
}
