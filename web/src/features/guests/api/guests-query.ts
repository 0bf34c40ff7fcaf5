import { queryOptions } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { guestKeys } from './keys';

type Guest = Schemas['Guest'];

async function loadGuests(siteId: string, signal: AbortSignal): Promise<readonly Guest[]> {
  const answer = await unwrap(client.GET('/api/Guests', { params: { query: { siteId } }, signal }));
  return answer.items;
}

/** All pending and assigned guests of a site (spec B section 7); history is not among them. */
export function guestsQuery(siteId: string) {
  return queryOptions({
    queryKey: guestKeys.list(siteId),
    queryFn: ({ signal }) => loadGuests(siteId, signal),
  });
}
