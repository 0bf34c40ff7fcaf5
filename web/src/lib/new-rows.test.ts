import { expect, it } from 'vitest';
import { type ListRows, seeRows } from './new-rows';

const list = (ids: readonly string[], more: Partial<ListRows> = {}): ListRows => ({
  scope: 'all',
  ids,
  isWhole: true,
  ...more,
});
const news = (before: ListRows, now: ListRows) => [...seeRows(seeRows(undefined, before), now).newIds];

it('what stands in a list at first is no news', () => {
  expect(seeRows(undefined, list(['a'])).newIds.size).toBe(0);
});

it('a row that was not there before is new, until the list changes again', () => {
  const first = seeRows(undefined, list(['a']));
  const second = seeRows(first, list(['b', 'a']));
  expect([...second.newIds]).toEqual(['b']);
  expect(seeRows(second, list(['a', 'b']))).toBe(second);
  expect([...seeRows(second, list(['b'])).newIds]).toEqual([]);
});

it('rows of other filters are no news', () => {
  expect(news(list(['a']), list(['a', 'b'], { scope: 'one site' }))).toEqual([]);
});

it('a row that moves up into a list that shows a part is no news', () => {
  expect(news(list(['a', 'b'], { isWhole: false }), list(['b', 'c'], { isWhole: false }))).toEqual([]);
});
