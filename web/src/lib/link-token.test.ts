import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  followedInvitation,
  followInvitation,
  followLinks,
  heldInvitation,
  heldMailLink,
  leaveInvitation,
  leaveLinkPage,
  linkSignal,
  passInvitation,
} from './link-token';

const reload = vi.fn<() => void>();
/** What the page does when the browser tells it of an event. */
let listeners: Record<string, (event: object) => void> = {};

function stubAddress(address: string) {
  const { pathname, search, hash } = new URL(`https://berth.example${address}`);
  vi.stubGlobal('location', { pathname, search, hash, reload });
}

/** Opens an address and returns what stands there afterwards. */
function open(address: string): string {
  let shown = address;
  stubAddress(address);
  vi.stubGlobal('addEventListener', (type: string, listener: (event: object) => void) => {
    listeners[type] = listener;
  });
  const replaceState = (_state: unknown, _title: string, next: string) => (shown = next);
  vi.stubGlobal('history', { state: null, replaceState });
  followLinks();
  return shown;
}

/** Follows a link in the tab that shows the page; returns whether the router hears of it. */
function openInSameTab(address: string): boolean {
  const stopImmediatePropagation = vi.fn<() => void>();
  stubAddress(address);
  listeners.popstate?.({ stopImmediatePropagation });
  return stopImmediatePropagation.mock.calls.length === 0;
}

afterEach(() => {
  vi.unstubAllGlobals();
  reload.mockClear();
  listeners = {};
  leaveLinkPage('/login');
  leaveInvitation();
});

describe('the token of a link leaves the address before anything renders', () => {
  const LINK = { token: 'berth_p_1', userId: 'u1' };

  it.each(['/reset-password', '/confirm-email', '/undo-email-change'] as const)('%s, behind the hash', (page) => {
    expect(open(`${page}#token=berth_p_1&userId=u1`)).toBe(page);
    expect(heldMailLink(page)).toEqual(LINK);
  });

  it('also in the query string, as the specification has it', () => {
    expect(open('/reset-password?token=berth_p_1&userId=u1')).toBe('/reset-password');
    expect(heldMailLink('/reset-password')).toEqual(LINK);
  });

  it.each(['/Reset-Password', '/reset-password/', '/reset%2Dpassword', '/RESET%2dpassword//', '//%72eset-password'])(
    'also where the page is spelled in another way: %s',
    (path) => {
      expect(open(`${path}#token=berth_p_1&userId=u1`)).toBe('/reset-password');
      expect(heldMailLink('/reset-password')).toEqual(LINK);
    },
  );

  it('a link that is not whole is none, and leaves the address all the same', () => {
    expect(open('/reset-password?token=berth_p_1')).toBe('/reset-password');
    expect(heldMailLink('/reset-password')).toBeUndefined();
  });

  it.each([
    ['/login/callback#access_token=berth_i_1', '/login/callback'],
    ['/signup?token=berth_i_1', '/signup'],
    ['/signup#token=berth_i_1', '/signup'],
    ['/signup-expired?token=berth_i_1', '/signup-expired'],
  ] as const)('of an invitation: %s', (address, page) => {
    expect(open(address)).toBe(page);
    expect(heldInvitation(page)).toBe('berth_i_1');
  });

  it.each(['/login?returnTo=%2Fsites#top', '/%zz#token=berth_p_1', '/find?token=1'])(
    'other pages keep their address: %s',
    (address) => {
      expect(open(address)).toBe(address);
      expect(heldInvitation('/signup')).toBeUndefined();
    },
  );
});

describe('a link belongs to its page', () => {
  it('as long as that shows, for every try to load it', () => {
    open('/signup#token=berth_i_1');
    leaveLinkPage('/signup');
    expect([heldInvitation('/signup'), heldInvitation('/signup')]).toEqual(['berth_i_1', 'berth_i_1']);
    leaveLinkPage('/login');
    expect(heldInvitation('/signup')).toBeUndefined();
  });

  it('and what is on its way with it is given up when that is left', () => {
    open('/login/callback#access_token=berth_i_1');
    const first = linkSignal();
    leaveLinkPage('/login/callback');
    expect(first.aborted).toBe(false);
    leaveLinkPage('/login');
    expect(first.aborted).toBe(true);
    passInvitation('berth_i_2', '/login/callback');
    const second = linkSignal();
    expect(second.aborted).toBe(false);
    leaveLinkPage('/organizations');
    expect(second.aborted).toBe(true);
  });

  it('and to no other', () => {
    open('/reset-password#token=berth_p_1&userId=u1');
    expect(heldMailLink('/undo-email-change')).toBeUndefined();
    expect(heldInvitation('/signup')).toBeUndefined();
  });

  it('that a browser kept in memory is loaded again if it had one', () => {
    open('/reset-password#token=berth_p_1&userId=u1');
    listeners.pageshow?.({ persisted: false });
    expect(reload).not.toHaveBeenCalled();
    listeners.pageshow?.({ persisted: true });
    expect(reload).toHaveBeenCalledOnce();
    leaveLinkPage('/login');
    listeners.pageshow?.({ persisted: true });
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe('in a tab that shows a page', () => {
  it.each(['/reset-password#token=berth_p_2&userId=u2', '/Reset-Password#token=berth_p_2', '/signup#access_token=1'])(
    'another link starts it anew, before the router hears of it: %s',
    (address) => {
      open('/reset-password#token=berth_p_1&userId=u1');
      expect(openInSameTab(address)).toBe(false);
      expect(reload).toHaveBeenCalledOnce();
    },
  );

  it.each(['/reset-password#main', '/reset-password', '/organizations#token=1'])(
    'no other address does: %s',
    (address) => {
      open('/reset-password#token=berth_p_1&userId=u1');
      expect(openInSameTab(address)).toBe(true);
      expect(reload).not.toHaveBeenCalled();
      expect(heldMailLink('/reset-password')).toBeDefined();
    },
  );
});

it('an invitation is handed on to the next screen, and followed until it is left', () => {
  passInvitation('berth_i_1', '/signup-expired');
  leaveLinkPage('/signup-expired');
  expect(heldInvitation('/signup-expired')).toBe('berth_i_1');
  followInvitation('berth_i_1');
  expect(followedInvitation()).toBe('berth_i_1');
  leaveInvitation();
  expect(followedInvitation()).toBeUndefined();
});
