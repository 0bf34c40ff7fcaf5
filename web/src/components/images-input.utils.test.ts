import { describe, expect, test } from 'vitest';
import { MOST_BYTES, moved, problemOf } from './images-input.utils';

const file = (name: string, type: string, size = 1) => ({ name, type, size });

describe('problemOf', () => {
  test.each([
    ['a.jpg', 'image/jpeg', undefined],
    ['a.png', 'image/png', undefined],
    ['a.gif', 'image/gif', undefined],
    ['a.JPG', '', undefined],
    ['a.svg', 'image/svg+xml', 'type'],
    ['a.webp', 'image/webp', 'type'],
    ['notes', '', 'type'],
    ['a.jpg', 'text/html', 'type'],
  ])('%s of type "%s"', (name, type, problem) => {
    expect(problemOf(file(name, type))).toBe(problem);
  });

  test('logos of insurers are JPEG only', () => {
    expect(problemOf(file('a.png', 'image/png'), true)).toBe('jpeg');
    expect(problemOf(file('a.jpeg', 'image/jpeg'), true)).toBeUndefined();
  });

  test('5 MB are 5,242,880 bytes', () => {
    expect(problemOf(file('a.jpg', 'image/jpeg', MOST_BYTES))).toBeUndefined();
    expect(problemOf(file('a.jpg', 'image/jpeg', MOST_BYTES + 1))).toBe('size');
  });
});

describe('moved', () => {
  test('moves one entry and keeps the others in order', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moved(['a', 'b', 'c'], 1, 9)).toEqual(['a', 'c', 'b']);
    expect(moved(['a'], 5, 0)).toEqual(['a']);
  });
});
