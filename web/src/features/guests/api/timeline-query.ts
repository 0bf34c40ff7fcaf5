import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { guestKeys } from './keys';

/** What happened to a guest, the oldest event first; asked for again when the guest has changed. The server notes who looked. */
export function timelineQuery({ id, version }: Pick<Schemas['Guest'], 'id' | 'version'>) {
  return queryOptions({
    queryKey: guestKeys.timeline(id, version),
    queryFn: ({ signal }) => unwrap(client.GET('/api/Guests/{id}/timeline', { params: { path: { id } }, signal })),
    placeholderData: keepPreviousData,
  });
}
