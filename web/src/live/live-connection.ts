import type { QueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '@/access/current-user';
import type { Schemas } from '@/api/client';
import { followSleep, monotonicNow, noteServerEvent } from '@/lib/clock';
import { dropDeadConnections, isAnswered } from './drop-dead-connections';
import { forgetLostSites } from './forget-lost-sites';

/**
 * connecting: the first try; live: events arrive; reconnecting: they do not, what is shown may be old, and we keep trying;
 * closed: not wanted.
 */
export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'closed';

/** Events of this span are gathered, in milliseconds: one change often makes several. */
const GATHER_MILLISECONDS = 250;
/** Waits between tries after the server closed the stream, in milliseconds. */
const BACKOFF_MILLISECONDS = [1000, 2000, 5000, 10_000, 30_000] as const;
/**
 * Silence after which a connection counts as lost, in milliseconds. The server sends a heartbeat every 8 seconds; a
 * connection that froze (lost Wi-Fi, a computer that slept) never reports an error by itself.
 */
const MAX_SILENCE_MILLISECONDS = 20_000;
/** The same after a sleep, which the connection may not have survived, in milliseconds. */
const MAX_SILENCE_AFTER_SLEEP_MILLISECONDS = 10_000;

interface LiveOptions {
  queryClient: QueryClient;
  /** The server refused the stream: perhaps nobody is signed in any more. */
  onRefused: () => void;
  /** Closes connections that died without a word, so that the next requests do not hang on them. */
  dropDead?: (wasLive: boolean) => Promise<void>;
  /** Asks whether the server answers. */
  isAnswered?: () => Promise<boolean>;
}

/**
 * The one stream of live events (`/api/live`): each names a site and its version. A version newer than the cached site
 * makes the site's queries load again. Closed while the tab is hidden, since a browser grants few streams a host.
 * Made by hand around the browser's EventSource: libraries for it try again after an error, and the loss that matters here,
 * a stream that is silent, reports none.
 */
export class LiveConnection {
  #source: EventSource | undefined;
  #status: LiveStatus = 'closed';
  #listeners = new Set<() => void>();
  #changes = new Map<string, number>();
  #gatherTimer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  #stopFollowing: (() => void) | undefined;
  #failures = 0;
  #hasMissedEvents = false;
  /** False after a silence that no event has ended: a proxy may hold back the stream while everything else works. */
  #wasLive = true;
  #options: LiveOptions;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  get status(): LiveStatus {
    return this.#status;
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Opens the stream and keeps it open until the returned function is called. */
  start(): () => void {
    const stopForgetting = forgetLostSites(this.#options.queryClient);
    document.addEventListener('visibilitychange', this.#handleVisibility);
    window.addEventListener('online', this.#reopen);
    window.addEventListener('offline', this.#handleOffline);
    if (document.visibilityState === 'visible') this.#open();
    return () => {
      stopForgetting();
      document.removeEventListener('visibilitychange', this.#handleVisibility);
      window.removeEventListener('online', this.#reopen);
      window.removeEventListener('offline', this.#handleOffline);
      this.#close();
    };
  }

  #handleVisibility = () => {
    if (document.visibilityState === 'visible') {
      this.#open();
    } else {
      this.#hasMissedEvents = true;
      this.#close();
    }
  };

  /** The browser knows it first; the stream itself would be silent for a while. */
  #handleOffline = () => {
    if (this.#status === 'closed') return;
    this.#hasMissedEvents = true;
    this.#setStatus('reconnecting');
  };

  #reopen = () => {
    if (this.#status !== 'reconnecting') return;
    this.#close('reconnecting');
    this.#hasMissedEvents = true;
    this.#open();
  };

  #open(): void {
    if (this.#source) return;
    this.#setStatus(this.#hasMissedEvents || this.#failures > 0 ? 'reconnecting' : 'connecting');
    const source = new EventSource('/api/live');
    this.#source = source;
    this.#listen(source, 'ready', (data) => this.#noteTime(data));
    this.#listen(source, 'site', (data) => this.#note(data));
    this.#listen(source, 'resync', () => this.#loadRightsAgain());
    this.#listen(source, 'heartbeat', (data) => this.#noteTime(data));
    source.addEventListener('error', () => this.#handleError(source));
    this.#waitForEvent();
    this.#stopFollowing = followSleep(MAX_SILENCE_MILLISECONDS, () => void this.#handleSleep(source));
  }

  #listen(source: EventSource, name: string, handle: (data: string) => void): void {
    source.addEventListener(name, (event: MessageEvent<string>) => {
      this.#waitForEvent();
      this.#failures = 0;
      this.#wasLive = true;
      this.#setStatus('live');
      if (this.#hasMissedEvents) this.#loadVisibleAgain();
      this.#hasMissedEvents = false;
      handle(event.data);
    });
  }

  /** Each event, and each try to connect, is given this time to be followed by another event. */
  #waitForEvent(span = MAX_SILENCE_MILLISECONDS): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => void this.#handleSilence(), span);
  }

  /**
   * The timer of the silence may have slept as well, so the server is asked. If it answers, perhaps only a clock was set, and
   * what is on its way goes on; the stream must show soon that it lives.
   */
  async #handleSleep(source: EventSource): Promise<void> {
    const isThere = await (this.#options.isAnswered ?? isAnswered)();
    // Meanwhile the tab may have been hidden, or the stream opened anew.
    if (source !== this.#source) return;
    if (isThere) this.#waitForEvent(MAX_SILENCE_AFTER_SLEEP_MILLISECONDS);
    else void this.#handleSilence();
  }

  #handleSilence = async () => {
    this.#hasMissedEvents = true;
    this.#close('reconnecting');
    const wasLive = this.#wasLive;
    this.#wasLive = false;
    await (this.#options.dropDead ?? dropDeadConnections)(wasLive);
    // Meanwhile the tab may have been hidden or the network may have come back.
    if (this.#status === 'reconnecting') this.#open();
  };

  #handleError(source: EventSource): void {
    this.#hasMissedEvents = true;
    this.#setStatus('reconnecting');
    if (source.readyState !== EventSource.CLOSED) return; // The browser tries again by itself.
    this.#close('reconnecting');
    const wait = BACKOFF_MILLISECONDS[Math.min(this.#failures, BACKOFF_MILLISECONDS.length - 1)];
    this.#failures += 1;
    this.#options.onRefused();
    this.#retryTimer = setTimeout(() => this.#open(), wait);
  }

  #close(status: LiveStatus = 'closed'): void {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#silenceTimer);
    this.#stopFollowing?.();
    this.#source?.close();
    this.#source = undefined;
    this.#setStatus(status);
  }

  #noteTime(data: string): void {
    const { now } = JSON.parse(data) as { now?: string };
    const time = Date.parse(now ?? '');
    if (!Number.isNaN(time)) noteServerEvent(time, monotonicNow());
  }

  #note(data: string): void {
    const { siteId, version } = JSON.parse(data) as Schemas['LiveEvent'];
    this.#changes.set(siteId, Math.max(version, this.#changes.get(siteId) ?? 0));
    if (this.#gatherTimer !== undefined) return;
    this.#gatherTimer = setTimeout(() => {
      this.#gatherTimer = undefined;
      this.#apply();
    }, GATHER_MILLISECONDS);
  }

  #apply(): void {
    const changes = [...this.#changes];
    this.#changes.clear();
    for (const [siteId, version] of changes) refreshSite(this.#options.queryClient, siteId, version);
  }

  /** The rights of the user may have changed, and with them what a search may show. */
  #loadRightsAgain(): void {
    const { queryClient } = this.#options;
    void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: ['search'] });
    this.#loadVisibleAgain();
  }

  #loadVisibleAgain(): void {
    void this.#options.queryClient.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === 'sites' || showsNumbers(queryKey),
    });
  }

  #setStatus(status: LiveStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}

/** Keys of lists that show the numbers of sites. */
const LISTS: readonly unknown[] = ['site-list', 'organizations'];

/** Today over the whole platform is not among them: an event of any site would load it again, so it goes by time. */
function showsNumbers(queryKey: readonly unknown[]): boolean {
  return LISTS.includes(queryKey[0]) || (queryKey[0] === 'today' && queryKey[1] === 'own');
}

/**
 * Loads again what is shown of a site, but for the site itself when the cached one is as new as the event: our own
 * change has loaded it already. Lists that hold the site's numbers are refreshed as well.
 */
export function refreshSite(queryClient: QueryClient, siteId: string, version: number): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey, state }) => {
      if (showsNumbers(queryKey)) return true;
      if (queryKey[0] !== 'sites' || queryKey[1] !== siteId) return false;
      if (queryKey[2] !== 'details') return true;
      const cached = (state.data as { version?: number } | undefined)?.version;
      return cached === undefined || cached < version;
    },
  });
}
