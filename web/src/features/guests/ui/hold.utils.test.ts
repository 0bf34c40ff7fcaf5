import { describe, expect, it } from 'vitest';
import { byUrgency, holdLeft, holdShare } from './hold.utils';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const at = (milliseconds: number) => NOW + milliseconds;

describe('holdLeft', () => {
  it('tells hours and minutes above one hour', () =>
    expect(holdLeft(at((5 * 60 + 12) * 60_000 + 59_000), NOW)).toEqual({
      kind: 'hours',
      hours: 5,
      minutes: 12,
      isUrgent: false,
    }));
  it('counts 72 hours as hours, not days', () =>
    expect(holdLeft(at(72 * 3_600_000), NOW)).toMatchObject({ kind: 'hours', hours: 72, minutes: 0 }));
  it('presses below one hour', () =>
    expect(holdLeft(at(59 * 60_000), NOW)).toEqual({ kind: 'minutes', minutes: 59, isUrgent: true }));
  it('counts seconds in the last ten minutes, rounded up', () =>
    expect(holdLeft(at(61_200), NOW)).toEqual({ kind: 'seconds', seconds: 62, isUrgent: true }));
  it('is over at the moment it ends, and after', () => {
    expect(holdLeft(NOW, NOW)).toEqual({ kind: 'over' });
    expect(holdLeft(at(-1), NOW)).toEqual({ kind: 'over' });
  });
});

describe('holdShare', () => {
  it('goes from one to nothing', () => {
    expect(holdShare(at(0), at(100), NOW)).toBe(1);
    expect(holdShare(at(-75), at(25), NOW)).toBe(0.25);
    expect(holdShare(at(-100), at(-1), NOW)).toBe(0);
  });
  it('is never more than all, nor a number without a hold', () => {
    expect(holdShare(at(10), at(20), NOW)).toBe(1);
    expect(holdShare(at(0), at(0), NOW)).toBe(0);
  });
});

describe('byUrgency', () => {
  const waiting = (name: string, expiresAt: string | null, createdAt: string) => ({ name, expiresAt, createdAt });
  it('puts the hold that ends first first, and guests without a hold last, oldest first', () => {
    const guests = [
      waiting('by hand, later', null, '2026-11-21T09:00:00Z'),
      waiting('long hold', '2026-11-23T10:00:00Z', '2026-11-20T10:00:00Z'),
      waiting('by hand, earlier', null, '2026-11-19T09:00:00Z'),
      waiting('short hold', '2026-11-21T10:30:00Z', '2026-11-21T09:30:00Z'),
    ];
    expect(guests.toSorted(byUrgency).map(({ name }) => name)).toEqual([
      'short hold',
      'long hold',
      'by hand, earlier',
      'by hand, later',
    ]);
  });
});
