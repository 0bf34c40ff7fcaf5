import { expect, it } from 'vitest';
import { bed } from '@/testing/bed-builders';
import { renderView } from '@/testing/render';
import { BedTile } from './bed-tile';
import { useBedTexts } from './use-bed-texts';

const LONG = 'The bed beside the large window that looks over the garden and the old harbor wall';

function Tile({ name }: { name: string }) {
  return (
    <div style={{ width: 220 }}>
      <BedTile bed={bed('a', { name })} texts={useBedTexts()} />
    </div>
  );
}

it("a bed's number is whole however long its name is, and the name takes two lines", async () => {
  const screen = await renderView(<Tile name={`${LONG} #124`} />);
  const number = screen.getByText('#124', { exact: true });
  await expect.element(number).toBeVisible();
  const tile = number.element().closest('[data-state]')?.getBoundingClientRect();
  expect(number.element().getBoundingClientRect().right).toBeLessThanOrEqual(tile?.right ?? 0);
  const words = screen.getByText(LONG).element();
  expect(words.clientHeight).toBeLessThan(words.scrollHeight);
  expect(words.clientHeight / parseFloat(getComputedStyle(words).lineHeight)).toBeCloseTo(2, 0);
  expect(words.parentElement?.textContent).toBe(`${LONG} #124`);
});
