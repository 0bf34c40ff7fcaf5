import { describe, expect, it } from 'vitest';
import { bed, guest, guestShort, room, service } from '@/testing/bed-builders';
import type { PlacementRules } from '@/features/houses/ui/meant-for.utils';
import { bestBed, housesByFit, rankBeds, vacantTypes } from './bed-fit.utils';

const detox = service('medical-detox', 'Medical detox', 'General');
const treatment = service('drug-treatment', 'Drug treatment', 'General');
const sober = service('sober-living', 'Sober living', 'General');
const therapy = service('group-therapy', 'Group therapy', 'General');

const man = (id: string) => bed(id, { type: 'Treatment', guest: guestShort(`of-${id}`, { gender: 'Male' }) });
const woman = (id: string) => bed(id, { type: 'Treatment', guest: guestShort(`of-${id}`, { gender: 'Female' }) });

const rooms = [
  room('1', [bed('s1', { type: 'Sober Living' }), bed('t1', { type: 'Treatment' })]),
  room('2', [bed('d2'), bed('off', { disabled: true }), bed('t2', { type: 'Treatment' })]),
];
const rules: PlacementRules = { ofSite: [], breach: 'warned' };
const ids = (houses: typeof rooms, of: ReturnType<typeof guest>) =>
  rankBeds(houses, of, rules).map((fit) => fit.bed.id);
const needing = (...services: (typeof detox)[]) => guest('g', { services, gender: 'Female' });

describe('the order of beds', () => {
  it('is that of the houses for a guest whose services take no kind of bed', () =>
    expect(ids(rooms, needing(therapy))).toEqual(['s1', 't1', 'd2', 't2']));

  it.each([
    ['medical detox', [detox], ['d2', 's1', 't1', 't2']],
    ['drug treatment', [treatment], ['t1', 't2', 's1', 'd2']],
    ['sober living', [sober], ['s1', 't1', 'd2', 't2']],
    ['detox before what comes after it', [sober, treatment, detox], ['d2', 't1', 't2', 's1']],
  ])('begins with the type that %s asks for', (_, services, order) =>
    expect(ids(rooms, needing(...services))).toEqual(order),
  );

  it('has no bed that is taken or disabled', () => {
    expect(ids([room('1', [woman('a'), bed('b', { disabled: true })])], needing())).toEqual([]);
    expect(bestBed([], needing(detox), rules)).toBeUndefined();
  });

  it('prefers the house of the same gender among beds of one type, and puts that of another gender last', () => {
    const houses = [
      room('men', [man('m'), bed('d-men')]),
      room('empty', [bed('d-empty')]),
      room('mixed', [man('x'), woman('y'), bed('d-mixed')]),
      room('women', [woman('w'), bed('d-women')]),
    ];
    expect(ids(houses, needing(detox))).toEqual(['d-women', 'd-mixed', 'd-empty', 'd-men']);
    expect(bestBed(houses, needing(detox), rules)).toMatchObject({ isNeededType: true, company: 'same' });
    expect(rankBeds(houses, needing(detox), rules).map(({ company }) => company)).toEqual([
      'same',
      'mixed',
      'open',
      'other',
    ]);
  });

  it('puts the type above the house', () => {
    const houses = [room('women', [woman('w'), bed('t', { type: 'Treatment' })]), room('men', [man('m'), bed('d')])];
    expect(ids(houses, needing(detox))).toEqual(['d', 't']);
  });

  it('asks nobody of a guest whose gender is neither, nor the guest who moves', () => {
    const houses = [room('men', [man('m'), bed('a')]), room('women', [woman('w'), bed('b')])];
    expect(ids(houses, guest('g', { gender: 'Other' }))).toEqual(['a', 'b']);
    const alone = [room('own', [bed('o', { guest: guestShort('g', { gender: 'Female' }) }), bed('a')])];
    expect(rankBeds(alone, needing(), rules)).toMatchObject([{ company: 'open' }]);
  });
});

describe('beds that are not for the guest', () => {
  const men = room('men', [bed('m')], { meantFor: ['gender-male'] });
  it('come last, whatever else speaks for them', () =>
    expect(ids([men, room('all', [bed('t', { type: 'Treatment' })])], needing(detox))).toEqual(['t', 'm']));

  it('are never the one to propose', () => {
    expect(ids([men], needing(detox))).toEqual(['m']);
    expect(bestBed([men], needing(detox), rules)).toBeUndefined();
  });

  it('are all beds of a strict site that does not serve the guest', () => {
    const strict: PlacementRules = { ofSite: ['gender-male'], breach: 'needs-reason' };
    expect(bestBed(rooms, needing(detox), strict)).toBeUndefined();
  });
});

describe('the types to filter by', () => {
  it('are those of vacant beds, with their numbers', () =>
    expect(vacantTypes(rankBeds(rooms, needing(), rules))).toEqual([
      { type: 'Detox', count: 1 },
      { type: 'Treatment', count: 2 },
      { type: 'Sober Living', count: 1 },
    ]));
});

describe('the houses on the screen', () => {
  const fits = rankBeds(rooms, needing(detox), rules);
  const shown = (showsAll: boolean, type: 'Treatment' | null = null) =>
    housesByFit(rooms, fits, { showsAll, type }).map(({ room: { id }, beds }) => [id, beds.map((one) => one.id)]);

  it('stand in the order of their best bed', () =>
    expect(shown(false)).toEqual([
      ['2', ['d2', 't2']],
      ['1', ['s1', 't1']],
    ]));
  it('have one type only, if asked', () =>
    expect(shown(false, 'Treatment')).toEqual([
      ['1', ['t1']],
      ['2', ['t2']],
    ]));
  it('show beds that are not vacant after the others', () =>
    expect(shown(true)).toEqual([
      ['2', ['d2', 't2', 'off']],
      ['1', ['s1', 't1']],
    ]));
});
