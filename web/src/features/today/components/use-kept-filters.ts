import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { readView, writeView } from '@/access/views';
import { sitesQuery } from '@/features/sites/api/sites-query';
import type { TodayFilters } from '../api/today-query';
import { formatFilters, parseFilters, textOfFilter } from '../kept-filters.utils';
import { hasFilters } from '../today.utils';

/** A filter with a name made of the names of its values. */
export interface NamedFilter {
  id: string;
  filters: TodayFilters;
  name: string;
}

/** The services to choose from. */
export interface ServiceOptions {
  options: readonly { value: string; label: string }[];
  /** All have been loaded. */
  isComplete: boolean;
}

/** The filters of Today that the user keeps on this device, else on any other; `filters` is the one that is set. */
export function useKeptFilters(filters: TodayFilters, services: ServiceOptions) {
  const user = useUser();
  const [stored, setStored] = useState(() => parseFilters(readView(user, 'savedFilters.today')));
  const [latest, setLatest] = useState<string>();
  const nameOf = useFilterNames(services, stored);
  // One whose site or service is gone is left out, and forgotten with the next change.
  const kept = stored.filter((one) => nameOf(one) !== null);
  const write = (next: readonly TodayFilters[]) => {
    setStored(next);
    writeView(user, 'savedFilters.today', formatFilters(next));
  };
  const id = textOfFilter(filters);
  return {
    /** Those that can be shown; the names of others may still be loading. */
    named: kept.flatMap((one): NamedFilter[] => {
      const name = nameOf(one);
      return name ? [{ id: textOfFilter(one), filters: one, name }] : [];
    }),
    count: kept.length,
    /** Id of the filter that was kept just now. */
    latest,
    canKeep: hasFilters(filters) && Boolean(nameOf(filters)) && !kept.some((one) => textOfFilter(one) === id),
    keep: () => {
      write([...kept, filters]);
      setLatest(id);
    },
    remove: (removed: string) => {
      write(kept.filter((one) => textOfFilter(one) !== removed));
      setLatest(undefined);
    },
  };
}

/**
 * The name of a filter: "Harbor House · Medical detox". Null if one of its values is gone, undefined while one of them is
 * not known yet.
 */
function useFilterNames(services: ServiceOptions, kept: readonly TodayFilters[]) {
  const { t } = useTranslation('today');
  const { isGlobal } = useUser();
  const { data: sites } = useQuery({
    ...sitesQuery(),
    enabled: !isGlobal || kept.some(({ siteId }) => siteId !== undefined),
  });
  return ({ siteId, service, payer }: TodayFilters): string | null | undefined => {
    const site = sites?.find(({ id }) => id === siteId)?.name;
    const serviceName = services.options.find(({ value }) => value === service)?.label;
    if ((siteId && sites && !site) || (service && services.isComplete && !serviceName)) return null;
    if ((siteId && !site) || (service && !serviceName)) return undefined;
    return [site, serviceName, payer && t(`payer.${payer}`)].filter(Boolean).join(' · ');
  };
}
