import { expect, it } from 'vitest';
import { bed, room } from '@/testing/bed-builders';
import { keepOpen, waitedFor, whyNotOffered } from './waitlist.utils';

const HOUR = 3_600_000;

it('the wait is told in minutes, from an hour on in hours, from two days on in days', () => {
  expect(waitedFor(0, 59 * 60_000)).toEqual({ unit: 'minutes', count: 59 });
  expect(waitedFor(0, HOUR)).toEqual({ unit: 'hours', count: 1 });
  expect(waitedFor(0, 47 * HOUR)).toEqual({ unit: 'hours', count: 47 });
  expect(waitedFor(0, 48 * HOUR)).toEqual({ unit: 'days', count: 2 });
});

it('a clock that is behind shows no negative wait', () => {
  expect(waitedFor(HOUR, 0)).toEqual({ unit: 'minutes', count: 0 });
});

const rows = (...ids: string[]) => ids.map((id) => ({ id }));

it('a row whose change is open stays as it was and where it was', () => {
  const before = rows('a', 'b', 'c');
  const idsOf = (now: readonly { id: string }[], ...open: string[]) =>
    keepOpen(before, now, (id) => open.includes(id)).map(({ id }) => id);
  expect(idsOf(rows('a', 'c'), 'b')).toEqual(['a', 'b', 'c']);
  expect(idsOf(rows('a', 'c', 'b'), 'b')).toEqual(['a', 'b', 'c']);
  expect(idsOf(rows('c'), 'a', 'b')).toEqual(['a', 'b', 'c']);
  expect(idsOf(rows(), 'b')).toEqual(['b']);
  expect(idsOf(rows('a', 'c'))).toEqual(['a', 'c']);
  const [, old] = before;
  expect(keepOpen(before, rows('a', 'b'), (id) => id === 'b')[1]).toBe(old);
});

const anna = { bedType: null, gender: 'Female', age: { id: 'age-18-26' } } as never;
const strict = { ofSite: [], breach: 'refused' } as const;
const forMen = { meantFor: ['gender-male'] };

it('a bed of another type is not offered', () => {
  const needsDetox = { ...(anna as object), bedType: 'Detox' } as never;
  const rooms = [room('1', [bed('a', { type: 'Treatment' }), bed('b', { type: 'Detox', disabled: true })])];
  expect(whyNotOffered(needsDetox, rooms, strict)).toEqual({ by: 'type', type: 'Detox' });
  expect(whyNotOffered(anna, rooms, strict)).toBeNull();
});

it('a bed in a house that is not for the person is not offered at a strict site', () => {
  const rooms = [room('1', [bed('a')], forMen), room('2', [bed('b')], { meantFor: ['age-over-27'] })];
  expect(whyNotOffered(anna, rooms, strict)).toEqual({ by: 'rules', misfits: ['gender-female', 'age-18-26'] });
  expect(whyNotOffered(anna, rooms, { ofSite: [], breach: 'needs-reason' })).not.toBeNull();
  expect(whyNotOffered(anna, rooms, { ofSite: [], breach: 'warned' })).toBeNull();
  expect(whyNotOffered(anna, [...rooms, room('3', [bed('c')])], strict)).toBeNull();
});

it('a bed that fits and is on offer to another person is the reason', () => {
  const offered = bed('a', { offeredUntil: '2026-11-27T10:00:00.000Z' });
  const rooms = [room('1', [offered]), room('2', [bed('b')], forMen)];
  expect(whyNotOffered(anna, rooms, strict)).toEqual({ by: 'offers' });
  expect(whyNotOffered(anna, [room('1', [offered, bed('c')])], strict)).toBeNull();
});

it('without a vacant bed there is nothing to explain', () => {
  expect(whyNotOffered(anna, [room('1', [bed('a', { disabled: true })], forMen)], strict)).toBeNull();
});
