import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { currentUser } from '@/testing/builders';
import { signOutOnServer } from './sign-out';

vi.mock('./sign-out', () => ({ signOutOnServer: vi.fn(() => Promise.resolve()) }));

const invited = currentUser({ stage: 'first_step', has_password: false });

/** Whether a page ends the first step of an invited user, after it was opened as given. */
async function endsAt(pathname: string, type: NavigationTimingType, wasDiscarded = false): Promise<boolean> {
  vi.resetModules();
  vi.stubGlobal('location', { pathname });
  vi.stubGlobal('document', { wasDiscarded });
  vi.stubGlobal('performance', { getEntriesByType: () => [{ type }], now: () => 0 });
  const { endLeftStep } = await import('./first-step');
  return endLeftStep(new QueryClient(), invited);
}

beforeEach(() => {
  vi.unstubAllGlobals();
  vi.mocked(signOutOnServer).mockClear();
});

describe('the first step of an invitation', () => {
  it.each<[string, NavigationTimingType]>([
    ['/create-password', 'navigate'],
    ['/create-password', 'back_forward'],
    ['/two-factor-setup', 'back_forward'],
    // The page of somebody else, loaded again.
    ['/login', 'reload'],
    ['/faq', 'reload'],
    ['/', 'reload'],
  ])('ends for whoever opens %s by %s', async (pathname, type) => {
    expect(await endsAt(pathname, type)).toBe(true);
    expect(signOutOnServer).toHaveBeenCalledOnce();
  });

  it.each(['/create-password', '/two-factor-setup'])('goes on if its page is loaded again: %s', async (pathname) => {
    expect(await endsAt(pathname, 'reload')).toBe(false);
    expect(await endsAt(pathname, 'back_forward', true)).toBe(false);
    expect(signOutOnServer).not.toHaveBeenCalled();
  });
});
