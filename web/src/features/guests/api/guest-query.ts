import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';
import { guestKeys } from './keys';

/** One guest in any state (spec B section 7). The server notes who looked. */
export function guestQuery(guestId: string) {
  return queryOptions({
    queryKey: guestKeys.one(guestId),
    queryFn: ({ signal }) => unwrap(client.GET('/api/Guests/{id}', { params: { path: { id: guestId } }, signal })),
  });
}
