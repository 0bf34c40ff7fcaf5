import type { QueryClient } from '@tanstack/react-query';
import type { Schemas } from '@/api/client';
import { whenReleased } from './hold';

/** connecting: the first try; live: news arrive; reconnecting: they do not, and we keep trying; closed: not wanted. */
export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'closed';

/** News of this span are gathered, in milliseconds: one change often makes several events. */
const GATHER_MILLISECONDS = 250;
/** Waits between tries after the server closed the stream, in milliseconds. */
const BACKOFF_MILLISECONDS = [1000, 2000, 5000, 10_000, 30_000] as const;

interface LiveOptions {
  queryClient: QueryClient;
  /** The server refused the stream: perhaps nobody is signed in any more. */
  onRefused: () => void;
}

/**
 * The one stream of news (`/api/live`): each event names a site and its version. A version newer than the cached site
 * makes the site's queries load again. Closed while the tab is hidden, since a browser grants few streams a host.
 */
export class LiveConnection {
  #source: EventSource | undefined;
  #status: LiveStatus = 'closed';
  #listeners = new Set<() => void>();
  #news = new Map<string, number>();
  #gatherTimer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #hasMissedNews = false;
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
    document.addEventListener('visibilitychange', this.#handleVisibility);
    window.addEventListener('online', this.#reopen);
    if (document.visibilityState === 'visible') this.#open();
    return () => {
      document.removeEventListener('visibilitychange', this.#handleVisibility);
      window.removeEventListener('online', this.#reopen);
      this.#close();
    };
  }

  #handleVisibility = () => {
    if (document.visibilityState === 'visible') {
      this.#open();
    } else {
      this.#hasMissedNews = true;
      this.#close();
    }
  };

  #reopen = () => {
    if (this.#status !== 'reconnecting') return;
    this.#close();
    this.#hasMissedNews = true;
    this.#open();
  };

  #open(): void {
    if (this.#source) return;
    this.#setStatus(this.#hasMissedNews || this.#failures > 0 ? 'reconnecting' : 'connecting');
    const source = new EventSource('/api/live');
    this.#source = source;
    source.addEventListener('ready', () => {
      this.#failures = 0;
      this.#setStatus('live');
      if (this.#hasMissedNews) this.#loadVisibleAgain();
      this.#hasMissedNews = false;
    });
    source.addEventListener('site', (event: MessageEvent<string>) => this.#note(event.data));
    source.addEventListener('error', () => this.#handleError(source));
  }

  #handleError(source: EventSource): void {
    this.#hasMissedNews = true;
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
    this.#source?.close();
    this.#source = undefined;
    this.#setStatus(status);
  }

  #note(data: string): void {
    const { siteId, version } = JSON.parse(data) as Schemas['LiveEvent'];
    this.#news.set(siteId, Math.max(version, this.#news.get(siteId) ?? 0));
    if (this.#gatherTimer !== undefined) return;
    this.#gatherTimer = setTimeout(() => {
      this.#gatherTimer = undefined;
      whenReleased(this.#apply);
    }, GATHER_MILLISECONDS);
  }

  #apply = () => {
    const news = [...this.#news];
    this.#news.clear();
    for (const [siteId, version] of news) refreshSite(this.#options.queryClient, siteId, version);
  };

  #loadVisibleAgain(): void {
    whenReleased(() => {
      void this.#options.queryClient.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === 'sites' || LISTS.includes(queryKey[0]),
      });
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

/**
 * Loads again what is shown of a site, but for the site itself when the cached one is as new as the event: our own
 * change has loaded it already. Lists that hold the site's numbers are refreshed as well.
 */
export function refreshSite(queryClient: QueryClient, siteId: string, version: number): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey, state }) => {
      if (LISTS.includes(queryKey[0])) return true;
      if (queryKey[0] !== 'sites' || queryKey[1] !== siteId) return false;
      if (queryKey[2] !== 'details') return true;
      const cached = (state.data as { version?: number } | undefined)?.version;
      return cached === undefined || cached < version;
    },
  });
}
