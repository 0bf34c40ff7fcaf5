import { describe, expect, it } from 'vitest';
import { service } from '@/testing/bed-builders';
import { ALL_DAY } from '@/lib/time';
import { intakeHours, orderedPhotos, serviceGroups, shortDescription, shownAddress } from './site-information.utils';

describe('a description', () => {
  it('of 135 characters is shown whole', () => expect(shortDescription('x'.repeat(135))).toBeUndefined());

  it('of more is cut to about 49, at a word', () => {
    const short = shortDescription('A quiet house by the sea with a garden and six bedrooms. '.repeat(3));
    expect(short).toBe('A quiet house by the sea with a garden and six…');
  });

  it('keeps a word that just fits', () => {
    const text = `${'ab '.repeat(16)}a ${'b '.repeat(60)}`;
    expect(shortDescription(text)).toBe(`${'ab '.repeat(16)}a…`);
  });

  it('without blanks is cut inside the word', () => {
    expect(shortDescription('👍'.repeat(136))).toBe(`${'👍'.repeat(49)}…`);
  });
});

it('services stand in their groups, empty ones left out', () => {
  expect(
    serviceGroups([
      service('adults', 'Adults', 'Client'),
      service('detox', 'Detox', 'General'),
      service('prenatal', 'Prenatal', 'General'),
    ]).map((group) => ({ category: group.category, names: group.services.map(({ name }) => name) })),
  ).toEqual([
    { category: 'General', names: ['Detox', 'Prenatal'] },
    { category: 'Client', names: ['Adults'] },
  ]);
});

describe('intake hours', () => {
  it.each([
    ['the whole day', true, ALL_DAY, ALL_DAY, { kind: 'allDay' }],
    ['a range', true, '09:00:00', '17:30:00', { kind: 'range', from: '9:00 AM', to: '5:30 PM' }],
    ['none when not enabled', false, '09:00:00', '17:30:00', undefined],
    ['none without a start', true, null, '17:30:00', undefined],
    ['none without an end', true, '09:00:00', null, undefined],
  ] as const)('are %s', (_name, enabled, from, to, expected) => {
    const hours = intakeHours({ enabled, from, to }, 'en');
    // Intl may put a narrow blank before AM and PM.
    expect(JSON.parse(JSON.stringify(hours ?? null).replaceAll('\u202f', ' '))).toEqual(expected ?? null);
  });
});

it('the photo with the lowest index is the cover', () => {
  expect(
    orderedPhotos([
      { imagePath: 'b', index: 3 },
      { imagePath: 'a', index: 1 },
    ]),
  ).toEqual(['a', 'b']);
});

it.each([
  ['https://www.harbor.example/', 'www.harbor.example'],
  ['http://harbor.example/about', 'harbor.example/about'],
  ['harbor.example', 'harbor.example'],
])('%s is read as %s', (address, shown) => expect(shownAddress(address)).toBe(shown));
