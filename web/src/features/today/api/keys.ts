import type { TodayFilters } from './today-query';

/**
 * Keys of Today. `own`: over the sites of the caller, which live events make old; `platform`: over all sites, which is asked
 * for again after a time.
 */
export const todayKeys = {
  all: ['today'] as const,
  list: (isPlatform: boolean, filters: TodayFilters) => ['today', isPlatform ? 'platform' : 'own', filters] as const,
};
