import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { clearPreference, writePreference } from '@/lib/preferences';
import { tellUserForgotten } from '@/lib/session-end';
import { serveBoard } from '@/testing/board-world';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { touch } from '@/testing/touch';
import { MoveGuestsBoard } from './move-guests-board';

afterEach(async () => {
  tellUserForgotten();
  clearPreference('compactBeds');
  await touch(false);
  await page.viewport(1360, 900);
});

it.each([
  [320, false],
  [320, true],
  [390, false],
] as const)('a finger meets each Move button within 44 × 44 px, at %i px (compact: %s)', async (width, isCompact) => {
  if (isCompact) writePreference('compactBeds', 'yes');
  await page.viewport(width, 844);
  await touch(true);
  serveBoard();
  const user = currentUser({ role_intake_site_ids: 's1' });
  const screen = await renderView(<MoveGuestsBoard subject="s1" onClose={() => undefined} />, { user });
  const buttons = screen.getByRole('button', { name: /^Move / });
  await expect.element(buttons.first()).toBeVisible();
  for (const button of buttons.elements()) {
    button.scrollIntoView({ block: 'center' });
    const { left, top, width: w, height: h } = button.getBoundingClientRect();
    const met = [-21, 0, 21].flatMap((x) =>
      [-21, 0, 21].map((y) => document.elementFromPoint(left + w / 2 + x, top + h / 2 + y)?.closest('button')),
    );
    expect(new Set(met)).toEqual(new Set([button]));
  }
});
