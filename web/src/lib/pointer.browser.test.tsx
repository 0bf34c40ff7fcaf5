import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderView } from '@/testing/render';
import { pointerReleased } from './pointer';

it('nothing waits while nothing is pressed', async () => {
  await expect(pointerReleased()).resolves.toBeUndefined();
});

it('whoever waits for the release of a press comes after its click', async () => {
  const order: string[] = [];
  await renderView(
    <button
      type="button"
      onPointerDown={() => void pointerReleased().then(() => order.push('released'))}
      onClick={() => order.push('click')}
    >
      Press
    </button>,
  );
  await page.getByRole('button', { name: 'Press' }).click();
  await expect.poll(() => order).toEqual(['click', 'released']);
});
