import { expect, it } from 'vitest';
import { todayQuery } from './today-query';

it('the platform is asked for every 30 seconds, which live events do not', () => {
  const { refetchInterval, queryKey } = todayQuery(true, { service: 'prenatal' });
  expect(refetchInterval).toBe(30_000);
  expect(queryKey).toEqual(['today', 'platform', { service: 'prenatal' }]);
});

it('own sites are told of by live events, and asked for seldom beside them', () => {
  const { refetchInterval, queryKey } = todayQuery(false, {});
  expect(refetchInterval).toBe(300_000);
  expect(queryKey).toEqual(['today', 'own', {}]);
});
