import { describe, expect, it } from 'vitest';
import { changedFields, mergeChanges } from './changed-fields';

const base = { name: 'Bay', alias: '', tags: ['a', 'b'], address: '1 Main St', placeId: '' };

it('fields that say something else are changed', () => {
  expect(changedFields(base, { ...base, name: 'Cove', tags: ['b', 'a'] })).toEqual(['name', 'tags']);
  const isSame = (name: keyof typeof base, one: unknown, other: unknown) => name === 'tags' || one === other;
  expect(changedFields(base, { ...base, tags: ['b', 'a'] }, isSame)).toEqual([]);
});

describe('what was typed over a record that someone else changed', () => {
  it('stays; everything else is theirs', () => {
    const merge = mergeChanges(base, { ...base, name: 'Mine' }, { ...base, alias: 'Theirs', name: 'Theirs' });
    expect(merge.changedHere).toEqual(['name']);
    expect(merge.changedThere).toEqual(['name', 'alias']);
    expect(merge.merged).toMatchObject({ name: 'Mine', alias: 'Theirs' });
  });

  it('is no conflict where both say the same', () => {
    expect(mergeChanges(base, { ...base, name: 'Same' }, { ...base, name: 'Same' }).changedThere).toEqual([]);
  });

  it('keeps fields together that make one value', () => {
    const typed = { ...base, placeId: 'p2' };
    const theirs = { ...base, address: '3 Main St' };
    expect(mergeChanges(base, typed, theirs, { together: ['address', 'placeId'] }).merged).toMatchObject({
      address: '1 Main St',
      placeId: 'p2',
    });
  });
});
