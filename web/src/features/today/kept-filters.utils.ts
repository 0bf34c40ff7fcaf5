import type { TodayFilters } from './api/today-query';
import { todaySearch } from './today-search';
import { hasFilters } from './today.utils';

/** So many filters a user can keep. */
export const MAX_KEPT_FILTERS = 8;

/** A filter as it is stored: ids and codes, like in an address. Two filters are the same if their texts are. */
export function textOfFilter({ siteId, service, payer }: TodayFilters): string {
  const fields = Object.entries({ siteId, service, payer });
  return new URLSearchParams(fields.flatMap(([name, value]) => (value ? [[name, value]] : []))).toString();
}

/** Writes filters for the storage. */
export function formatFilters(filters: readonly TodayFilters[]): string {
  return filters.map(textOfFilter).join(' ');
}

/** Reads what `formatFilters` writes. What makes no sense is left out. */
export function parseFilters(stored: string | undefined): readonly TodayFilters[] {
  return (stored ?? '')
    .split(' ')
    .map((text) => todaySearch.parse(Object.fromEntries(new URLSearchParams(text))))
    .filter(hasFilters)
    .slice(0, MAX_KEPT_FILTERS);
}
