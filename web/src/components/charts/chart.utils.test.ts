import { describe, expect, it } from 'vitest';
import { formatDay, formatShare, linePoints, scaleTop } from './chart.utils';

describe('occupancy', () => {
  it('has a round scale', () => {
    expect(
      [
        [],
        [{ date: '', beds: 10, occupied: 5 }],
        [{ date: '', beds: 131, occupied: 4 }],
        [{ date: '', beds: 9, occupied: 9 }],
      ].map(scaleTop),
    ).toEqual([4, 10, 140, 10]);
  });

  it('is drawn from left to right, upwards', () => {
    expect(linePoints([0, 5, 10], 10, 1000, 200)).toBe('0.0,200.0 500.0,100.0 1000.0,0.0');
    expect(linePoints([5], 10, 1000, 200)).toBe('0.0,100.0');
  });

  it('is written in the language of the reader', () => {
    expect(formatDay('2026-03-02', 'en')).toBe('Mar 2, 2026');
    expect(formatDay('2026-03-02', 'es', 'short')).toBe('2 mar');
    expect(formatShare(0.345, 'en')).toBe('35%');
  });
});
