import { describe, expect, it } from 'vitest';
import { addedSince, expiredIds, holdsOf, isEnding, isQuiet, minutesLeft, untilNextCheck } from './alerts.utils';

const NOW = Date.parse('2026-11-25T12:00:00Z');
const MINUTE = 60_000;
const harbor = { name: 'Harbor House', timeZone: 'America/Los_Angeles' };
const holdFor = (minutes: number) => ({ guestId: 'g', site: harbor, endsAt: NOW + minutes * MINUTE });

describe('a hold', () => {
  it.each([
    [15.01, false],
    [15, true],
    [0.1, true],
    [0, false],
    [-1, false],
  ])('with %s minutes left is about to end: %s', (minutes, is) => {
    expect(isEnding(holdFor(minutes), NOW)).toBe(is);
  });

  it('counts a part of a minute as a minute', () => {
    expect(minutesLeft(holdFor(14.2), NOW)).toBe(15);
    expect(minutesLeft(holdFor(0.1), NOW)).toBe(1);
  });

  it('is looked at 15 minutes before its end, then just after it, then no more', () => {
    const holds = [holdFor(20), holdFor(120)];
    expect(untilNextCheck(holds, NOW)).toBe(5 * MINUTE);
    expect(untilNextCheck(holds, NOW + 5 * MINUTE)).toBe(15 * MINUTE + 500);
    expect(untilNextCheck([holdFor(-1)], NOW)).toBeUndefined();
    expect(untilNextCheck([], NOW)).toBeUndefined();
  });

  it('that ends after months waits no longer than a timer can', () => {
    expect(untilNextCheck([holdFor(100 * 24 * 60)], NOW)).toBe(2 ** 31 - 1);
  });

  it('is told where the user decides, and has an end', () => {
    const site = (id: string) => ({ ...harbor, id, organizationId: 'o', isCommercial: false });
    const entry = (id: string, siteId: string, expiresAt: string | null) =>
      ({ guest: { id, expiresAt }, site: site(siteId) }) as Parameters<typeof holdsOf>[0][number];
    const waiting = [
      entry('a', 's1', '2026-11-25T13:00:00Z'),
      entry('b', 's2', '2026-11-25T13:00:00Z'),
      entry('c', 's1', null),
    ];
    const holds = holdsOf(waiting, ({ id }) => id === 's1');
    expect(holds).toMatchObject([{ guestId: 'a', endsAt: NOW + 60 * MINUTE }]);
  });
});

it('only a hold that ran out has ended without a decision', () => {
  const kinds = ['accepted', 'moved', 'swapped', 'discharged', 'declined', 'cancelled', 'expired'] as const;
  expect(expiredIds(kinds.map((kind) => ({ kind, guest: { id: kind } })))).toEqual(['expired']);
});

describe('quiet hours', () => {
  const at = (time: string) => Date.parse(`2026-11-25T${time}Z`);
  const night = { quietFrom: '22:00:00', quietUntil: '07:00:00' };
  const noon = { quietFrom: '12:00:00', quietUntil: '13:00:00' };

  it.each([
    ['21:59:59', false],
    ['22:00:00', true],
    ['00:00:00', true],
    ['06:59:59', true],
    ['07:00:00', false],
  ])('over midnight, at %s: %s', (time, is) => {
    expect(isQuiet(night, at(time), 'UTC')).toBe(is);
  });

  it.each([
    ['11:59:59', false],
    ['12:00:00', true],
    ['13:00:00', false],
  ])('within a day, at %s: %s', (time, is) => {
    expect(isQuiet(noon, at(time), 'UTC')).toBe(is);
  });

  it('are those of the site', () => {
    expect(isQuiet(night, at('07:00:00'), 'America/Los_Angeles')).toBe(true);
    expect(isQuiet(night, at('07:00:00'), 'America/New_York')).toBe(true);
    expect(isQuiet(night, at('13:00:00'), 'America/Los_Angeles')).toBe(true);
    expect(isQuiet(night, at('13:00:00'), 'America/New_York')).toBe(false);
  });

  it('may reach to the end of the day', () => {
    expect(isQuiet({ quietFrom: '22:00:00', quietUntil: '24:00:00' }, at('23:59:59'), 'UTC')).toBe(true);
    expect(isQuiet({ quietFrom: '22:00:00', quietUntil: '24:00:00' }, at('00:00:00'), 'UTC')).toBe(false);
  });

  it('are never, where there are none', () => {
    expect(isQuiet({ quietFrom: null, quietUntil: null }, at('00:00:00'), 'UTC')).toBe(false);
  });
});

it('what was added is counted at sites that were known', () => {
  const site = (id: string, pending: number) => ({ id, counts: { pending } });
  const known = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  expect([...addedSince(known, [site('a', 3), site('b', 1), site('c', 4)])]).toEqual([['a', 2]]);
});
