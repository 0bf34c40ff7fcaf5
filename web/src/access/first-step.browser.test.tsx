import { describe, expect, it } from 'vitest';
import { isLoadedAgain } from './first-step';

describe('the page on which a password or phone is chosen', () => {
  it.each(['/create-password', '/two-factor-setup'])('goes on if it is loaded again: %s', (pathname) => {
    expect(isLoadedAgain(pathname, 'reload')).toBe(true);
    expect(isLoadedAgain(pathname, 'back_forward', true)).toBe(true);
  });

  it.each([
    ['/create-password', 'navigate'],
    ['/create-password', 'back_forward'],
    ['/two-factor-setup', 'back_forward'],
    ['/create-password', undefined],
    // The page of somebody else, loaded again.
    ['/login', 'reload'],
    ['/faq', 'reload'],
    ['/', 'reload'],
    ['/restore-password', 'reload'],
  ])('is not the one that began: %s by %s', (pathname, startedBy) => {
    expect(isLoadedAgain(pathname, startedBy)).toBe(false);
  });

  it('is not another page that a phone had dropped', () => {
    expect(isLoadedAgain('/login', 'navigate', true)).toBe(false);
  });
});
