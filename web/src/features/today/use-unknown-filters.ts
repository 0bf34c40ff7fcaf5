import { useQuery } from '@tanstack/react-query';
import { ValidationError } from '@/api/errors';
import { fieldOfPointer } from '@/api/field-errors';
import { sitesQuery } from '@/features/sites/api/sites-query';
import type { TodayFilters } from './api/today-query';

/**
 * Returns those of the filters whose value exists no more, or never did: the address was typed, or is an old one. The
 * server refuses such a service or payer (`error`), and shows nothing for a site that the user does not have.
 */
export function useUnknownFilters(filters: TodayFilters, error: unknown): readonly (keyof TodayFilters)[] {
  const { siteId } = filters;
  const { data: sites, isFetching } = useQuery({ ...sitesQuery(), enabled: siteId !== undefined });
  const isSiteUnknown = siteId !== undefined && !isFetching && sites?.some(({ id }) => id === siteId) === false;
  const refused = error instanceof ValidationError ? (error.problem.errors ?? []) : [];
  const fields = new Set(refused.map(({ pointer }) => fieldOfPointer(pointer)));
  return (['siteId', 'service', 'payer'] as const).filter(
    (name) => filters[name] !== undefined && (fields.has(name) || (name === 'siteId' && isSiteUnknown)),
  );
}
