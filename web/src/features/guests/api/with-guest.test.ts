import { describe, expect, it } from 'vitest';
import { guest } from '@/testing/bed-builders';
import { withGuest } from './with-guest';

const ana = guest('ana');
const ben = guest('ben', { status: 'accepted' });

describe('withGuest', () => {
  it('puts a changed guest into its place', () => {
    const changed = guest('ana', { status: 'accepted', version: 2 });
    expect(withGuest([ana, ben], changed)).toEqual([changed, ben]);
  });
  it('adds a new guest at the end', () => expect(withGuest([ben], ana)).toEqual([ben, ana]));
  it.each(['rejected', 'discharged', 'expired'] as const)('takes a guest away who is %s', (status) =>
    expect(withGuest([ana, ben], guest('ana', { status }))).toEqual([ben]),
  );
});
