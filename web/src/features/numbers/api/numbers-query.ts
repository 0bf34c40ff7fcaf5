import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import type { NumbersScope, RangeQuery } from '../numbers.utils';

/** How long numbers are shown without asking again, in milliseconds. */
const FRESH_FOR = 5 * 60_000;

/**
 * The numbers of a site or of an organization. Their key does not begin with the site: a year is long to count, and need not be
 * counted again with each guest who moves.
 */
export function numbersQuery({ kind, id }: NumbersScope, range: RangeQuery) {
  return queryOptions({
    queryKey: ['numbers', kind, id, range] as const,
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: range };
      return unwrap(
        kind === 'site'
          ? client.GET('/api/Sites/{id}/numbers', { params, signal })
          : client.GET('/api/Organizations/{id}/numbers', { params, signal }),
      );
    },
    staleTime: FRESH_FOR,
    placeholderData: keepPreviousData,
  });
}
