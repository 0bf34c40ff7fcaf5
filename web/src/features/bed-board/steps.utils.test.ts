import { describe, expect, it } from 'vitest';
import { bed, room } from '@/testing/bed-builders';
import { isStepKey, step } from './steps.utils';
import type { Board } from './types';

const off = (id: string) => bed(id, { disabled: true });

/**
 * Three columns:            with `x` disabled
 *   house 1   a  b  x
 *             c  d
 *   house 2   x2
 *   house 3   e  x3 f
 */
const board: Board = {
  houses: [
    room('1', [bed('a'), bed('b'), off('x'), bed('c'), bed('d')]),
    room('2', [off('x2')]),
    room('3', [bed('e'), off('x3'), bed('f')]),
    room('4', []),
  ],
  waiting: [],
};

describe('step', () => {
  it.each([
    ['ArrowRight', 'a', 'b'],
    ['ArrowRight', 'b', 'c'],
    ['ArrowRight', 'd', 'e'],
    ['ArrowRight', 'f', 'f'],
    ['ArrowLeft', 'e', 'd'],
    ['ArrowLeft', 'c', 'b'],
    ['ArrowLeft', 'a', 'a'],
    ['ArrowDown', 'a', 'c'],
    ['ArrowDown', 'c', 'e'],
    ['ArrowDown', 'b', 'd'],
    ['ArrowDown', 'd', 'd'],
    ['ArrowDown', 'e', 'e'],
    ['ArrowUp', 'e', 'c'],
    ['ArrowUp', 'f', 'f'],
    ['ArrowUp', 'd', 'b'],
    ['Home', 'd', 'a'],
    ['Home', 'f', 'e'],
    ['End', 'a', 'd'],
    ['End', 'e', 'f'],
    ['PageDown', 'b', 'e'],
    ['PageDown', 'e', 'e'],
    ['PageUp', 'f', 'a'],
    ['PageUp', 'a', 'a'],
  ] as const)('%s leads from %s to %s', (key, from, to) => expect(step(board, from, key, 3)).toBe(to));

  it('walks straight down in one column', () => {
    expect(step(board, 'b', 'ArrowDown', 1)).toBe('c');
    expect(step(board, 'd', 'ArrowDown', 0)).toBe('e');
  });
  it('stays when the bed is unknown', () => expect(step(board, 'gone', 'ArrowRight', 3)).toBe('gone'));
  it('stays in a house without an enabled bed', () => {
    expect(step(board, 'x2', 'Home', 3)).toBe('x2');
    expect(step(board, 'x2', 'End', 3)).toBe('x2');
  });
});

describe('isStepKey', () => {
  it('knows the keys of Move mode', () => {
    expect(isStepKey('PageUp')).toBe(true);
    expect(isStepKey('Enter')).toBe(false);
  });
});
