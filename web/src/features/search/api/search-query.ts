import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** Fewest and most characters that the server searches for. */
export const MIN_SEARCH_CHARS = 2;
export const MAX_SEARCH_CHARS = 50;

/** Most results of each kind that the server returns. */
export const MAX_FOUND = 8;

/** Key of everything that was found: it is forgotten when the search closes. */
export const SEARCH_KEY = ['search'] as const;

/** Guests, sites, organizations and users that a text finds. The server notes who searched for what. Kept only while it is shown. */
export function searchQuery(text: string) {
  return queryOptions({
    queryKey: [...SEARCH_KEY, text] as const,
    queryFn: ({ signal }) => unwrap(client.POST('/api/Search', { body: { query: text }, signal })),
    enabled: text.length >= MIN_SEARCH_CHARS,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    // Fails at once without a network and says so; asks again when it is back.
    networkMode: 'always',
    refetchOnReconnect: true,
  });
}
