import { describe, expect, it } from 'vitest';
import { neighborOf } from './neighbor';

describe('neighborOf', () => {
  const before = ['a', 'b', 'c', 'd'];
  it('is the next one that is still there', () => {
    expect(neighborOf('b', before, before)).toBe('c');
    expect(neighborOf('b', before, ['a', 'd'])).toBe('d');
  });
  it('is the one before when nothing follows', () => {
    expect(neighborOf('d', before, before)).toBe('c');
    expect(neighborOf('c', before, ['a', 'c'])).toBe('a');
  });
  it('is one that arrived meanwhile when all others have gone', () => expect(neighborOf('b', before, ['x'])).toBe('x'));
  it('is none in an empty list', () => expect(neighborOf('b', before, ['b'])).toBeUndefined());
});
