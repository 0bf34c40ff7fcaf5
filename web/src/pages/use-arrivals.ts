import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { hasRole } from '@/access/user';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { withoutOwnArrivals } from '@/features/guests/api/own-arrivals';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { setWaitingInTitle } from '@/lib/document-title';

interface Arrival {
  siteId: string;
  site: string;
  count: number;
}

/**
 * Tells of new reservations at the user's sites, wherever the user is, and returns how many wait; undefined until that is
 * known. Global admins, who have every site of the platform, are not told.
 */
export function useArrivals(): number | undefined {
  const user = useUser();
  const isTold = hasRole(user) && !user.isGlobal;
  const { data } = useQuery({ ...sitesQuery(), enabled: isTold });
  // A page of theirs may have loaded the list.
  const sites = isTold ? data : undefined;
  const tell = useTellArrivals();
  const before = useRef<ReadonlyMap<string, number>>(undefined);
  useEffect(() => {
    if (!sites) return;
    // What waited already when the list was first seen is no news.
    if (before.current) tell(arrivalsSince(before.current, sites));
    before.current = new Map(sites.map(({ id, counts }) => [id, counts.pending]));
  }, [sites, tell]);

  const waiting = sites?.reduce((sum, { counts }) => sum + counts.pending, 0);
  useEffect(() => {
    setWaitingInTitle(waiting ?? 0);
    return () => setWaitingInTitle(0);
  }, [waiting]);
  return waiting;
}

function arrivalsSince(before: ReadonlyMap<string, number>, sites: readonly Schemas['SiteSummary'][]): Arrival[] {
  return sites
    .map(({ id, name, counts }) => {
      const added = counts.pending - (before.get(id) ?? counts.pending);
      return { siteId: id, site: name, count: withoutOwnArrivals(id, added) };
    })
    .filter(({ count }) => count > 0);
}

/** Says where they are, and leads there. */
function useTellArrivals() {
  const { t } = useTranslation('shell');
  const { navigate } = useRouter();
  return useCallback(
    (arrivals: readonly Arrival[]) => {
      const [first, ...others] = arrivals;
      if (!first) return;
      const count = arrivals.reduce((sum, arrival) => sum + arrival.count, 0);
      const { siteId, site } = first;
      const isOne = others.length === 0;
      const show = () =>
        isOne
          ? navigate({ to: '/reservations/$siteId', params: { siteId }, search: { tab: 'reservations' } })
          : navigate({ to: '/reservations' });
      toast.news(isOne ? t('arrivals.new', { count, site }) : t('arrivals.newAtSites', { count }), {
        about: 'arrivals',
        action: { label: t('arrivals.show'), onAction: () => void show() },
      });
    },
    [navigate, t],
  );
}
