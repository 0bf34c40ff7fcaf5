import { describe, expect, it } from 'vitest';
import { clampPage, compareValues, pageCount, pageRange, toggleSort } from './data-table.utils';
import { tableSearch } from './table-search';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const sorted = (values: (string | number | null)[], descending: boolean) =>
  // As the table does it: compare upwards, turn the sign for downwards.
  values.toSorted((a, b) => compareValues(a, b, descending, collator) * (descending ? -1 : 1));

describe('paging', () => {
  it('has at least one page and never one behind the last', () => {
    expect(pageCount(0, 5)).toBe(1);
    expect(pageCount(11, 5)).toBe(3);
    expect(clampPage(9, 11, 5)).toBe(2);
    expect(clampPage(-1, 11, 5)).toBe(0);
    expect(clampPage(0, 0, 5)).toBe(0);
  });
  it('tells the rows it shows', () => {
    expect(pageRange(0, 5, 0)).toEqual({ from: 0, to: 0 });
    expect(pageRange(2, 5, 11)).toEqual({ from: 11, to: 11 });
  });
});

describe('sorting', () => {
  it('reads numbers in texts, and puts nothing last in both directions', () => {
    expect(sorted(['Bed 10', null, 'bed 2'], false)).toEqual(['bed 2', 'Bed 10', null]);
    expect(sorted(['Bed 10', null, 'bed 2'], true)).toEqual(['Bed 10', 'bed 2', null]);
    expect(sorted([3, 20, null, 1], true)).toEqual([20, 3, 1, null]);
  });
  it('turns round on the same heading, begins upwards on another, and goes back to the first page', () => {
    const state = { page: 3, size: 5, sort: 'name', direction: 'asc', dense: false } as const;
    expect(toggleSort(state, 'name')).toMatchObject({ sort: 'name', direction: 'desc', page: 0 });
    expect(toggleSort({ ...state, direction: 'desc' }, 'name')).toMatchObject({ direction: 'asc' });
    expect(toggleSort({ ...state, direction: 'desc' }, 'days')).toMatchObject({ sort: 'days', direction: 'asc' });
  });
});

describe('an address may come from anywhere', () => {
  it('defaults stand in for what is missing or wrong', () => {
    const defaults = { page: 0, direction: 'asc' };
    expect(tableSearch.parse({})).toEqual(defaults);
    expect(tableSearch.parse({ page: -1, size: 7, direction: 'up', dense: 'yes', sort: 5 })).toEqual(defaults);
    expect(tableSearch.parse({ page: 2, size: 25, direction: 'desc', dense: true, sort: 'name' })).toEqual({
      page: 2,
      size: 25,
      direction: 'desc',
      dense: true,
      sort: 'name',
    });
  });
});
