import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { ConfirmDialog } from '@/components/dialog/confirm-dialog';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { placeAt } from './place-at';

const nothing = () => undefined;

describe('a question that a finger asked', () => {
  it.each([
    ['a phone, in the middle', 390, 844, 150, 420],
    ['a phone, at the upper edge', 390, 844, 200, 90],
    ['a phone, at the lower edge', 390, 844, 300, 800],
    ['a phone, at the left', 390, 844, 50, 500],
    ['a tablet, at the right', 1024, 768, 940, 300],
  ])('has its yes under the finger and stays in the window: %s', async (_, width, height, x, y) => {
    await page.viewport(width, height);
    try {
      const place = (button: HTMLElement | null) => {
        if (button) placeAt(button, { x, y });
      };
      await renderView(
        <ConfirmDialog
          subject
          title="Move Guests"
          confirmLabel="Assign"
          confirmRef={place}
          onConfirm={nothing}
          onCancel={nothing}
        >
          Do you want to assign Ana A1 from Bed a, House 1 to Bed e, House 2 ?
        </ConfirmDialog>,
      );
      await expect.element(page.getByRole('button', { name: 'Assign' })).toBeVisible();
      await expect.poll(() => document.elementFromPoint(x, y)?.closest('button')?.textContent).toBe('Assign');
      const dialog = page.getByRole('dialog').element();
      await expect.poll(() => new DOMMatrix(getComputedStyle(dialog).transform).isIdentity).toBe(true);
      const { top, bottom, left, right } = dialog.getBoundingClientRect();
      expect(Math.min(top, left, height - bottom, width - right)).toBeGreaterThanOrEqual(0);
      await expect.element(page.getByRole('button', { name: 'Assign' })).toHaveFocus();
      await expectNoViolations();
    } finally {
      await page.viewport(1360, 900);
    }
  });
});
