import { useDocumentVisibility } from '@mantine/hooks';
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

/** Interval in milliseconds at which a hidden tab counts what waits: it has no live connection, and its title shows the number. */
const HIDDEN_INTERVAL_MILLISECONDS = 60_000;

const TOPIC = 'arrivals';

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
  const isHidden = useDocumentVisibility() === 'hidden';
  const { data } = useQuery({
    ...sitesQuery(),
    enabled: isTold,
    refetchInterval: isHidden && HIDDEN_INTERVAL_MILLISECONDS,
    refetchIntervalInBackground: true,
  });
  // A page of theirs may have loaded the list.
  const sites = isTold ? data : undefined;
  const tell = useTellArrivals();
  const before = useRef<ReadonlyMap<string, number>>(undefined);
  useEffect(() => {
    if (!sites) return;
    // A message in a hidden tab would be gone before anybody sees it: all is told when the user is back.
    if (before.current && isHidden) return;
    // What waited already when the list was first seen is no news.
    if (before.current) tell(arrivalsSince(before.current, sites));
    before.current = new Map(sites.map(({ id, counts }) => [id, counts.pending]));
  }, [sites, tell, isHidden]);

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

/** Adds up the arrivals of each site. */
function summed(arrivals: readonly Arrival[]): Arrival[] {
  const bySite = new Map<string, Arrival>();
  for (const arrival of arrivals) {
    const count = arrival.count + (bySite.get(arrival.siteId)?.count ?? 0);
    bySite.set(arrival.siteId, { ...arrival, count });
  }
  return [...bySite.values()];
}

/** Says where they are, and leads there. A message that still stands counts on. */
function useTellArrivals() {
  const { t } = useTranslation('shell');
  const { navigate } = useRouter();
  const told = useRef<readonly Arrival[]>([]);
  return useCallback(
    (added: readonly Arrival[]) => {
      if (added.length === 0) return;
      const arrivals = summed([...(toast.isShown(TOPIC) ? told.current : []), ...added]);
      told.current = arrivals;
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
        about: TOPIC,
        action: { label: t('arrivals.show'), onAction: () => void show() },
      });
    },
    [navigate, t],
  );
}
