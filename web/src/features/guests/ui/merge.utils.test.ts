import { expect, it } from 'vitest';
import { mergePair, outcomeOf } from './merge.utils';

const one = (id: string, status: Parameters<typeof mergePair>[0]['status'], mergedAt: string | null = null) => ({
  id,
  status,
  mergedAt,
});

it('the reservation with a bed is kept, else the pending one, else the one that is shown', () => {
  const kept = (...[shown, other]: Parameters<typeof mergePair>) => mergePair(shown, other)?.kept.id;
  expect(kept(one('shown', 'pending'), one('other', 'accepted'))).toBe('other');
  expect(kept(one('shown', 'reassigned'), one('other', 'pending'))).toBe('shown');
  expect(kept(one('shown', 'discharged'), one('other', 'pending'))).toBe('other');
  expect(kept(one('shown', 'pending'), one('other', 'pending'))).toBe('shown');
  expect(kept(one('shown', 'expired'), one('other', 'discharged'))).toBe('shown');
});

it('two guests in beds are not merged, nor one that is merged already', () => {
  expect(mergePair(one('shown', 'accepted'), one('other', 'reassigned'))).toBeNull();
  expect(mergePair(one('shown', 'accepted'), one('other', 'rejected', '2026-03-02T18:00:00.000Z'))).toBeNull();
  expect(mergePair(one('shown', 'rejected', '2026-03-02T18:00:00.000Z'), one('other', 'accepted'))).toBeNull();
});

it('what becomes of two reservations depends on which one is kept and whether the other is pending', () => {
  const [bed, pending] = [one('a', 'accepted'), one('b', 'pending')];
  const outcome = outcomeOf({ kept: bed, duplicate: pending });
  expect(outcomeOf({ kept: one('a', 'reassigned'), duplicate: pending })).toBe(outcome);
  expect(outcomeOf({ kept: pending, duplicate: one('a', 'discharged') })).not.toBe(outcome);
  expect(outcomeOf({ kept: bed, duplicate: one('b', 'expired') })).not.toBe(outcome);
  expect(outcomeOf({ kept: bed, duplicate: one('b', 'accepted') })).toBeNull();
});
