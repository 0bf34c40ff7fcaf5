import { useDocumentVisibility } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { hasRole } from '@/access/user';
import type { Schemas } from '@/api/client';
import { toast } from '@/components/toast';
import { unheardArrivals } from '@/features/alerts/api/heard';
import { useAlert } from '@/features/alerts/api/use-alert';
import { withoutOwnArrivals } from '@/features/guests/api/own-arrivals';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { setWaitingInTitle } from '@/lib/document-title';

/** Interval in milliseconds at which a hidden tab counts what waits: it has no live connection, and its title shows the number. */
const HIDDEN_INTERVAL_MILLISECONDS = 60_000;

const TOPIC = 'arrivals';

interface Arrival {
  siteId: string;
  site: string;
  timeZone: string;
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
  const alert = useAlertArrivals();
  const before = useRef<ReadonlyMap<string, number>>(undefined);
  useEffect(() => {
    if (!sites) return;
    const unheard = unheardArrivals(sites);
    // A hidden tab shows no message, since it would close unseen: it shows them when the user returns. Sounds play at once.
    if (before.current && isHidden) {
      alert(sites.flatMap((site) => arrivalsAt(site, unheard.get(site.id) ?? 0)));
      return;
    }
    // What waited already when the list was first seen is no news.
    if (before.current) {
      const arrivals = arrivalsSince(before.current, sites);
      tell(arrivals);
      alert(arrivals.filter(({ siteId }) => unheard.has(siteId)));
    }
    before.current = new Map(sites.map(({ id, counts }) => [id, counts.pending]));
  }, [sites, tell, alert, isHidden]);

  const waiting = sites?.reduce((sum, { counts }) => sum + counts.pending, 0);
  useEffect(() => {
    setWaitingInTitle(waiting ?? 0);
    return () => setWaitingInTitle(0);
  }, [waiting]);
  return waiting;
}

function arrivalsAt({ id, name, timeZone }: Schemas['SiteSummary'], count: number): Arrival[] {
  return count > 0 ? [{ siteId: id, site: name, timeZone, count }] : [];
}

function arrivalsSince(before: ReadonlyMap<string, number>, sites: readonly Schemas['SiteSummary'][]): Arrival[] {
  return sites.flatMap((site) => {
    const added = site.counts.pending - (before.get(site.id) ?? site.counts.pending);
    return arrivalsAt(site, withoutOwnArrivals(site.id, added));
  });
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

/** The words for arrivals. They name sites, never guests. */
function useArrivalsText() {
  const { t } = useTranslation('shell');
  return useCallback(
    (arrivals: readonly Arrival[]) => {
      const count = arrivals.reduce((sum, arrival) => sum + arrival.count, 0);
      const [first, ...others] = arrivals;
      return first && others.length === 0
        ? t('arrivals.new', { count, site: first.site })
        : t('arrivals.newAtSites', { count });
    },
    [t],
  );
}

/** Tells of them by sound and notification, where the user wants that. */
function useAlertArrivals() {
  const alert = useAlert();
  const textOf = useArrivalsText();
  return useCallback((arrivals: readonly Arrival[]) => void alert(TOPIC, arrivals, textOf), [alert, textOf]);
}

/** Says where they are, and leads there. A message that still stands counts on. */
function useTellArrivals() {
  const { t } = useTranslation('shell');
  const { navigate } = useRouter();
  const textOf = useArrivalsText();
  const told = useRef<readonly Arrival[]>([]);
  return useCallback(
    (added: readonly Arrival[]) => {
      if (added.length === 0) return;
      const arrivals = summed([...(toast.isShown(TOPIC) ? told.current : []), ...added]);
      told.current = arrivals;
      const [first, ...others] = arrivals;
      if (!first) return;
      const { siteId } = first;
      const isOne = others.length === 0;
      const show = () =>
        isOne
          ? navigate({ to: '/reservations/$siteId', params: { siteId }, search: { tab: 'reservations' } })
          : navigate({ to: '/reservations' });
      toast.news(textOf(arrivals), {
        about: TOPIC,
        action: { label: t('arrivals.show'), onAction: () => void show() },
      });
    },
    [navigate, t, textOf],
  );
}
