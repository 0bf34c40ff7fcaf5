import { describe, expect, it } from 'vitest';
import { NO_FILTERS, readAddress, writeAddress } from './find-address';

describe('the address of the public page', () => {
  it('comes back as it was written', () => {
    const filters = { ...NO_FILTERS, place: 'Long Beach', payer: 'MediCal', available: false, page: 2 };
    for (const view of [
      { name: 'search' },
      { name: 'site', siteId: 's1' },
      { name: 'reserve', siteId: 's1' },
      { name: 'code', siteId: 's1' },
      { name: 'reservation' },
    ] as const) {
      expect(readAddress(writeAddress({ view, filters }))).toEqual({ view, filters });
    }
  });
  it('is bare for the first search', () => {
    expect(writeAddress({ view: { name: 'search' }, filters: NO_FILTERS })).toBe('');
    expect(readAddress('')).toEqual({ view: { name: 'search' }, filters: NO_FILTERS });
  });
  it('never fails on what it does not know', () => {
    const { view, filters } = readAddress('?page=-3&step=elsewhere&age=&nothing=1&available=no');
    expect([view, filters]).toEqual([{ name: 'search' }, NO_FILTERS]);
    expect(readAddress('?site=s1&step=elsewhere').view).toEqual({ name: 'site', siteId: 's1' });
  });
});
