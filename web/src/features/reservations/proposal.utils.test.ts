import { describe, expect, it } from 'vitest';
import { apiErrorOf } from '@/api/errors';
import type { PlacementRules } from '@/features/houses/ui/meant-for.utils';
import { bed, guest, guestShort, room } from '@/testing/bed-builders';
import { offerOf } from './proposal.utils';

const ana = guest('ana', { gender: 'Female' });
const rules: PlacementRules = { ofSite: [], breach: 'warned' };
const man = bed('man', { guest: guestShort('max', { gender: 'Male' }) });
const lost = bed('lost', { guest: guestShort('zoe', { gender: 'Female' }) });
const rooms = [
  room('women', [bed('far'), bed('full', { guest: guestShort('eva') }), lost]),
  room('men', [bed('near'), man]),
  room('open', [bed('open')]),
];
const [women] = rooms as [(typeof rooms)[0]];
const taken = { bedId: 'near', bedName: 'Bed near', roomName: 'House men' };
const namedBy = (nextFreeBed: object) =>
  apiErrorOf(new Response(null, { status: 409 }), { message: 'Taken.', nextFreeBed });
const offeredId = (error: Error | null, isSeen: boolean, houses = rooms) =>
  offerOf(
    error,
    { lost: isSeen ? { bed: lost, room: women } : undefined, askedId: isSeen ? undefined : 'lost' },
    { rooms: houses, guest: ana, rules },
  )?.bedId;

describe('the bed to offer in place of a lost one', () => {
  it('is the nearest without a warning, as the page knows it', () => expect(offeredId(null, true)).toBe('far'));

  it('is the nearest without a warning if the page warns of the one that the server names', () =>
    expect(offeredId(namedBy(taken), false)).toBe('far'));

  it('is the one that the server names if the page does not warn of it', () =>
    expect(offeredId(namedBy({ ...taken, bedId: 'open' }), false)).toBe('open'));

  it('is the one that the server names if the page does not know it', () =>
    expect(offeredId(namedBy({ ...taken, bedId: 'new' }), false)).toBe('new'));

  it('is the nearest of those with a warning if there is no other', () => {
    const houses = [room('women', [lost]), room('men', [bed('near'), man, bed('next')])];
    expect(offeredId(null, true, houses)).toBe('near');
    expect(offeredId(namedBy(taken), false, houses)).toBe('near');
  });

  it('is none if nothing was lost', () =>
    expect(offerOf(null, { lost: undefined, askedId: undefined }, { rooms, guest: ana, rules })).toBeUndefined());
});
