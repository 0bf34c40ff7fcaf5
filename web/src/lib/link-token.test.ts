import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  followedInvitation,
  followInvitation,
  leaveInvitation,
  passLinkToken,
  scrubLinkToken,
  takeLinkToken,
  takeMailLink,
} from './link-token';

const reload = vi.fn<() => void>();
/** What the browser does when it shows the page, anew or as it was kept. */
let show: (event: { persisted: boolean }) => void = () => undefined;

/** Opens an address and returns what stands there afterwards. */
function open(address: string): string {
  const url = new URL(address, 'https://berth.example');
  let shown = url.pathname + url.search + url.hash;
  vi.stubGlobal('location', { pathname: url.pathname, search: url.search, hash: url.hash, reload });
  vi.stubGlobal('addEventListener', (_type: 'pageshow', listener: typeof show) => (show = listener));
  vi.stubGlobal('history', {
    state: null,
    replaceState: (_state: unknown, _title: string, next: string) => {
      shown = next;
    },
  });
  scrubLinkToken();
  return shown;
}

afterEach(() => {
  vi.unstubAllGlobals();
  reload.mockClear();
  takeLinkToken();
  takeMailLink();
});

describe('the token of a link leaves the address before anything renders', () => {
  it.each(['/reset-password', '/confirm-email', '/undo-email-change'])('%s, behind the hash', (page) => {
    expect(open(`${page}#token=berth_p_1&userId=u1`)).toBe(page);
    expect(takeMailLink()).toEqual({ token: 'berth_p_1', userId: 'u1' });
    expect(takeMailLink()).toBeUndefined();
  });

  it('also in the query string, as the specification has it', () => {
    expect(open('/reset-password?token=berth_p_1&userId=u1')).toBe('/reset-password');
    expect(takeMailLink()).toEqual({ token: 'berth_p_1', userId: 'u1' });
  });

  it('a page that the browser kept in memory with its link is loaded again', () => {
    open('/reset-password#token=berth_p_1&userId=u1');
    show({ persisted: false });
    expect(reload).not.toHaveBeenCalled();
    show({ persisted: true });
    expect(reload).toHaveBeenCalledOnce();
  });

  it('a link that is not whole is none, and leaves the address all the same', () => {
    expect(open('/reset-password?token=berth_p_1')).toBe('/reset-password');
    expect(takeMailLink()).toBeUndefined();
  });

  it.each([
    ['/login/callback#access_token=berth_i_1', '/login/callback'],
    ['/signup?token=berth_i_1', '/signup'],
    ['/signup#token=berth_i_1', '/signup'],
    ['/signup-expired?token=berth_i_1', '/signup-expired'],
  ])('of an invitation: %s', (address, left) => {
    expect(open(address)).toBe(left);
    expect(takeLinkToken()).toBe('berth_i_1');
    expect(takeLinkToken()).toBeUndefined();
  });

  it('other pages keep their address', () => {
    expect(open('/login?returnTo=%2Fsites#top')).toBe('/login?returnTo=%2Fsites#top');
    expect(takeLinkToken()).toBeUndefined();
  });
});

it('a token is handed on to the next screen once; an invitation is followed until it is left', () => {
  passLinkToken('berth_i_1');
  expect(takeLinkToken()).toBe('berth_i_1');
  expect(takeLinkToken()).toBeUndefined();
  followInvitation('berth_i_1');
  expect([followedInvitation(), followedInvitation()]).toEqual(['berth_i_1', 'berth_i_1']);
  leaveInvitation();
  expect(followedInvitation()).toBeUndefined();
});
