import { describe, expect, it } from 'vitest';
import type { Schemas } from '@/api/client';
import { guest } from '@/testing/bed-builders';
import { hasFilters, isByDeparture, timeOfDay, undoTimes } from './today.utils';

const AT = '2026-11-25T21:30:00.000Z';
const after = (milliseconds: number) => Date.parse(AT) + milliseconds;
const DAY = 24 * 60 * 60 * 1000;

function move(kind: Schemas['TodayMove']['kind'], fields: Partial<Schemas['Guest']>): Schemas['TodayMove'] {
  const site = { id: 's1', name: 'Harbor House', organizationId: 'o1', isCommercial: true, timeZone: 'UTC' };
  return { kind, at: AT, by: 'Ines', byUserId: 'ines', guest: guest('ana', fields), site, from: null, to: null };
}

describe('undoTimes', () => {
  it('gives ten seconds to whoever decided, and a day to those who may undo others', () => {
    const times = { own: after(10_000), others: after(DAY) };
    expect(undoTimes(move('declined', { status: 'rejected', rejectedAt: AT }))).toEqual(times);
    expect(undoTimes(move('discharged', { status: 'discharged', dischargedAt: AT }))).toEqual(times);
  });
  it('gives only the ten seconds for an accept', () =>
    expect(undoTimes(move('accepted', { status: 'accepted' }))).toEqual({ own: after(10_000), others: null }));

  const beds = {
    from: { bedId: 'a', roomName: 'House', bedName: 'A' },
    to: { bedId: 'b', roomName: 'House', bedName: 'B' },
  };
  const moved = { status: 'reassigned', assignedBedId: 'b', reassignedAt: AT } as const;
  it('gives only the ten seconds for the latest move of a guest', () => {
    expect(undoTimes({ ...move('moved', moved), ...beds })).toEqual({ own: after(10_000), others: null });
    expect(undoTimes({ ...move('moved', { ...moved, assignedBedId: 'c' }), ...beds })).toBeNull();
    expect(undoTimes({ ...move('moved', { ...moved, reassignedAt: '2026-11-25T22:00:00.000Z' }), ...beds })).toBeNull();
    expect(undoTimes({ ...move('moved', moved), ...beds, from: null })).toBeNull();
  });
  it.each<[Schemas['TodayMove']['kind'], Partial<Schemas['Guest']>]>([
    ['accepted', { status: 'reassigned' }],
    ['accepted', { status: 'discharged', dischargedAt: AT }],
    ['declined', { status: 'pending' }],
    ['cancelled', { status: 'rejected', rejectedAt: AT, cancelledAt: AT }],
    ['declined', { status: 'rejected', rejectedAt: AT, cancelledAt: AT }],
    ['moved', { status: 'reassigned' }],
    ['swapped', { status: 'reassigned' }],
    ['expired', { status: 'expired' }],
    ['accepted', { status: 'accepted', arrivedAt: AT }],
  ])('gives none after %s, for a guest who is now %o', (kind, fields) =>
    expect(undoTimes(move(kind, fields))).toBeNull(),
  );
});

describe('isByDeparture', () => {
  const stay = (daysLeft: number, maximumStayDays: number | null) => ({
    guest: guest('ana', { daysStayed: 20, expectedDeparture: '2026-12-01' }),
    site: { id: 's1', name: 'Harbor House', organizationId: 'o1', isCommercial: true, timeZone: 'UTC' },
    daysLeft,
    maximumStayDays,
  });
  it('is true where the site has no maximum', () => expect(isByDeparture(stay(1, null))).toBe(true));
  it('is true for a departure before the maximum', () => expect(isByDeparture(stay(1, 30))).toBe(true));
  it('is false when the maximum comes first', () => expect(isByDeparture(stay(2, 22))).toBe(false));
});

describe('timeOfDay', () => {
  it('is that of the site, whose zone is named', () => {
    expect(timeOfDay(AT, 'en', 'America/Los_Angeles').replace(/\s/g, ' ')).toBe('1:30 PM PST');
    expect(timeOfDay(AT, 'en', 'America/New_York').replace(/\s/g, ' ')).toBe('4:30 PM EST');
  });
});

describe('hasFilters', () => {
  it('is false without any', () => expect(hasFilters({ siteId: undefined })).toBe(false));
  it.each([{ siteId: 's' }, { service: 'prenatal' }, { payer: 'MediCal' as const }])('is true for %o', (filters) =>
    expect(hasFilters(filters)).toBe(true),
  );
});
