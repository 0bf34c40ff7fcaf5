import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { type HistoryList, STATES_OF } from '../history.utils';

/** A page of one list; pages count from 0. */
export interface HistoryPage {
  siteId: string;
  list: HistoryList;
  page: number;
  size: number;
  /** Part of the first name; empty for everyone. */
  search: string;
}

/** One page of a list of the history, newest first (spec B section 7). The server notes who looked. */
export function historyQuery({ siteId, list, page, size, search }: HistoryPage) {
  return queryOptions({
    queryKey: ['sites', siteId, 'history', list, page, size, search] as const,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/Guests', {
          params: {
            query: { siteId, Status: STATES_OF[list], page: page + 1, pageSize: size, ...(search ? { search } : {}) },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}
