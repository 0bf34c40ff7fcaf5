import { queryOptions } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { guestKeys } from './keys';

/** Without retries or error messages: the hint is optional. */
const HINT = { retry: false, staleTime: 5 * 60_000 } as const;

/** The other reservations of a guest's person at the organization, newest first. The server notes who looked. */
export function earlierOfGuestQuery(guestId: string) {
  return queryOptions({
    ...HINT,
    queryKey: guestKeys.earlier(guestId),
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/Guests/{id}/earlier', { params: { path: { id: guestId } }, signal })),
  });
}

/** The reservations of a person who is not added yet. Forgotten as soon as no screen shows them. */
export function earlierOfPersonQuery(person: Schemas['EarlierQuestion']) {
  return queryOptions({
    ...HINT,
    gcTime: 0,
    queryKey: guestKeys.earlierOfPerson(person),
    queryFn: ({ signal }) => unwrap(client.POST('/api/Guests/earlier', { body: person, signal })),
  });
}
