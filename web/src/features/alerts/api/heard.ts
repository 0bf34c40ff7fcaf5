import type { Schemas } from '@/api/client';
import { onUserForgotten } from '@/lib/session-end';
import { addedSince } from '../alerts.utils';
import { isSpeaker } from './speaker';

/**
 * Which news this browser has announced already. The announcing tab shares it with the others, so that its successor repeats
 * nothing. Ids and numbers only.
 */
interface Heard {
  pending?: ReadonlyMap<string, number>;
  holds?: readonly string[];
  offers?: readonly string[];
}

type Sites = readonly Schemas['SiteSummary'][];

const NOTHING: ReadonlyMap<string, number> = new Map();

let pending: ReadonlyMap<string, number> | undefined;
let lastList: Sites | undefined;
const holds = new Set<string>();
const offers = new Set<string>();

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('berth.alerts');
channel?.addEventListener('message', ({ data }: MessageEvent<Heard>) => {
  if (data.pending) pending = data.pending;
  for (const id of data.holds ?? []) holds.add(id);
  for (const id of data.offers ?? []) offers.add(id);
});

// The next user of this browser has not heard it.
onUserForgotten(() => {
  pending = undefined;
  lastList = undefined;
  holds.clear();
  offers.clear();
});

/** Returns how many new reservations of each site are not announced yet. Empty in a tab that does not announce. */
export function unheardArrivals(sites: Sites): ReadonlyMap<string, number> {
  // The list may be older than what another tab has announced since.
  if (sites === lastList) return NOTHING;
  lastList = sites;
  const added = pending ? addedSince(pending, sites) : NOTHING;
  pending = new Map(sites.map(({ id, counts }) => [id, counts.pending]));
  if (!isSpeaker()) return NOTHING;
  channel?.postMessage({ pending } satisfies Heard);
  return added;
}

/** Returns the holds that end and are not announced yet. Empty in a tab that does not announce. */
export function unheardHolds(guestIds: readonly string[]): readonly string[] {
  return unheardOf(holds, guestIds, (unheard) => ({ holds: unheard }));
}

/** Returns the offers that are not announced yet, each as site and time. Empty in a tab that does not announce. */
export function unheardOffers(ids: readonly string[]): readonly string[] {
  return unheardOf(offers, ids, (unheard) => ({ offers: unheard }));
}

function unheardOf(
  heard: Set<string>,
  ids: readonly string[],
  messageOf: (unheard: readonly string[]) => Heard,
): readonly string[] {
  if (!isSpeaker()) return [];
  const unheard = ids.filter((id) => !heard.has(id));
  for (const id of unheard) heard.add(id);
  if (unheard.length > 0) channel?.postMessage(messageOf(unheard));
  return unheard;
}
