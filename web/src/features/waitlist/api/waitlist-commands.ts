import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { waitlistQuery } from './waitlist-query';

type Person = Pick<Schemas['WaitingGuest'], 'id' | 'version'>;

/** What a change of a person on the waitlist, and the message about it, are about. */
export function aboutWaiting(id: string): string {
  return `waiting:${id}`;
}

/** Loads again what a change of the waitlist changes: the site with its counts and beds, and the lists of sites. */
function useRefresh(siteId: string) {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: ['site-list'] });
    void queryClient.invalidateQueries({ queryKey: ['today'] });
    return queryClient.invalidateQueries({ queryKey: ['sites', siteId] });
  };
}

/** Puts a person on the waitlist: once for each key, which is the one of the form. */
export function useWait(siteId: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: Schemas['NewWaitingGuest']; idempotencyKey: string }) =>
      guestCommands.change({
        about: idempotencyKey,
        intent: 'WAIT',
        idempotencyKey,
        send: (key, signal) =>
          unwrap(
            client.POST('/api/Sites/{id}/waitlist', {
              params: { path: { id: siteId }, header: { 'Idempotency-Key': key } },
              body,
              signal,
            }),
          ),
      }),
    onSettled: useRefresh(siteId),
  });
}

interface WaitingEdit {
  id: string;
  body: Schemas['WaitingGuestEdit'];
  /** That of the form. */
  idempotencyKey: string;
}

/** Replaces the form of a person, who keeps the place in the line; resolves when the outcome is known. */
export function useEditWaiting(siteId: string) {
  const refresh = useRefresh(siteId);
  return useMutation({
    mutationFn: ({ id, body, idempotencyKey }: WaitingEdit) =>
      guestCommands.change({
        about: aboutWaiting(id),
        intent: JSON.stringify(['EDIT', body]),
        idempotencyKey,
        send: (key, signal) =>
          unwrap(
            client.PUT('/api/Waitlist/{id}', {
              params: { path: { id }, header: { 'Idempotency-Key': key } },
              body,
              signal,
            }),
          ),
      }),
    // Not awaited: the form closes before the list has loaded again, and with it the form.
    onSettled: () => void refresh(),
  });
}

interface TakeOffer {
  person: Person;
  /** The person may have a third reservation. */
  allowThird: boolean;
}

/** Gives a person the offered bed, and resolves when the outcome is known. The person is no longer on the list then. */
export function useTakeOffer(siteId: string) {
  const queryClient = useQueryClient();
  const refresh = useRefresh(siteId);
  return useMutation({
    mutationFn: ({ person: { id, version }, allowThird }: TakeOffer) =>
      guestCommands.change({
        about: aboutWaiting(id),
        intent: allowThird ? 'TAKE A THIRD' : 'TAKE',
        send: (key, signal) =>
          unwrap(
            client.POST('/api/Waitlist/{id}/take', {
              params: { path: { id }, header: { 'Idempotency-Key': key } },
              body: { version, ...(allowThird ? { allowThird } : {}) },
              signal,
            }),
          ),
      }),
    onSuccess: (_, { person }) =>
      queryClient.setQueryData(
        waitlistQuery(siteId).queryKey,
        (list) => list && { ...list, items: list.items.filter(({ id }) => id !== person.id) },
      ),
    // Not awaited: the outcome is told before the list has loaded again.
    onSettled: () => void refresh(),
  });
}

/** What else may be done for a person on the waitlist. */
export interface WaitCommand {
  person: Person;
  command: 'DECLINE' | 'LEAVE' | 'PRIORITIZE';
  reason?: string | null;
}

/** Declines the offer to a person, takes the person off the list, or changes the priority; resolves when the outcome is known. */
export function useChangeWaiting(siteId: string) {
  return useMutation({
    mutationFn: ({ person: { id, version }, command, reason = null }: WaitCommand) =>
      guestCommands.change({
        about: aboutWaiting(id),
        intent: JSON.stringify([command, reason]),
        send: (key, signal) =>
          unwrap(
            client.PATCH('/api/Waitlist/{id}', {
              params: { path: { id } },
              headers: { 'Idempotency-Key': key },
              body: { command, reason, version },
              signal,
            }),
          ),
      }),
    onSettled: useRefresh(siteId),
  });
}

/** Sets how long an offer stands, in minutes. */
export function useSaveOfferPeriod(siteId: string) {
  return useMutation({
    mutationFn: (offerMinutes: number) =>
      unwrap(client.PUT('/api/Sites/{id}/offer-period', { params: { path: { id: siteId } }, body: { offerMinutes } })),
    onSettled: useRefresh(siteId),
  });
}
