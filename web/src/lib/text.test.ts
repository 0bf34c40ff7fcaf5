import { describe, expect, it } from 'vitest';
import { contains, fold, initials, truncate } from './text';

describe('names in lists', () => {
  it('are cut to the limit, the ellipsis included', () => {
    expect(truncate('Harbor House', 20)).toBe('Harbor House');
    expect(truncate('A very long name of a house', 20)).toBe('A very long name of…');
    expect(Array.from(truncate('👩‍👩‍👧 family house of the valley', 10)).length).toBeLessThanOrEqual(10);
  });
  it('have initials', () => {
    expect(initials('Harbor House')).toBe('HH');
    expect(initials('alder')).toBe('A');
    expect(initials('  ')).toBe('');
  });
});

describe('a search', () => {
  it.each([
    ['  ÉCOLE   Straße ', 'ecole strasse'],
    ['José', 'jose'],
    ['Zoe\u0308', 'zoe'],
    ['Łukasz Ørsted', 'lukasz orsted'],
    ['O’Neil', "o'neil"],
  ])('reads %s as %s', (typed, folded) => expect(fold(typed)).toBe(folded));
  it('finds a part without its accents', () => {
    expect(contains('Clínica José', ' jose')).toBe(true);
    expect(contains('Clinica Jose', 'José')).toBe(true);
    expect(contains('Casa Nova', 'nove')).toBe(false);
  });
});
