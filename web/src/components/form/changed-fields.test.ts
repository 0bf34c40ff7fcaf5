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
    expect(mergeChanges(base, { ...base, name: 'Mine' }, { ...base, alias: 'Theirs', name: 'Theirs' })).toEqual({
      changedHere: ['name'],
      changedThere: ['name', 'alias'],
    });
  });

  it('is no conflict where both say the same', () => {
    expect(mergeChanges(base, { ...base, name: 'Same' }, { ...base, name: 'Same' }).changedThere).toEqual([]);
  });

  it('keeps fields together that make one value', () => {
    const typed = { ...base, placeId: 'p2' };
    const theirs = { ...base, address: '3 Main St' };
    expect(mergeChanges(base, typed, theirs, { together: ['address', 'placeId'] })).toEqual({
      changedHere: ['placeId', 'address'],
      changedThere: ['address'],
    });
  });

  it('is not what the form shows of a newer version', () => {
    const seen = { ...base, alias: 'Theirs' };
    const typed = { ...seen, name: 'Mine' };
    expect(mergeChanges(base, typed, seen, { seen })).toEqual({ changedHere: ['name'], changedThere: ['alias'] });
    const taken = mergeChanges(base, typed, base, { seen });
    expect(taken).toEqual({ changedHere: ['name'], changedThere: [] });
  });
});
