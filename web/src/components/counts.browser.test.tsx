import { expect, it } from 'vitest';
import { renderView } from '@/testing/render';
import { Counts } from './counts';

const read = (element: Element) =>
  [...element.querySelectorAll('dl > div')].map(
    (item) => `${item.children[0]?.textContent} ${item.children[1]?.textContent}`,
  );

it('what is available leads', async () => {
  const screen = await renderView(<Counts available={3} vacant={5} pending={2} occupied={7} disabled={1} />);
  expect(read(screen.container)).toEqual(['Available 3', 'Vacant 5', 'Pending 2', 'Occupied 7', 'Disabled 1']);
});
