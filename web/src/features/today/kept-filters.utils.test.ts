import { expect, it } from 'vitest';
import { formatFilters, parseFilters, textOfFilter } from './kept-filters.utils';

const SITE = '0190a000-0000-7000-8000-0000000000a1';

it('filters are stored as ids and codes, and read again', () => {
  const filters = [{ siteId: SITE, service: 'medical-detox' }, { payer: 'MediCal' as const }];
  expect(formatFilters(filters)).toBe(`siteId=${SITE}&service=medical-detox payer=MediCal`);
  expect(parseFilters(formatFilters(filters)).map(textOfFilter)).toEqual(filters.map(textOfFilter));
});

it('what makes no sense is left out, and so is what is too many', () => {
  expect(parseFilters(undefined)).toEqual([]);
  expect(parseFilters('siteId=1 payer=Cash name=Anna payer=MediCal').map(textOfFilter)).toEqual(['payer=MediCal']);
  const many = Array.from({ length: 12 }, (_, index) => ({ service: `service-${index}` }));
  expect(parseFilters(formatFilters(many))).toHaveLength(8);
});
