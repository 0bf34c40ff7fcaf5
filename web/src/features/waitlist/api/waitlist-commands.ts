import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';

type Person = Pick<Schemas['WaitingGuest'], 'id' | 'version'>;

/** Loads again what a change of the waitlist changes: the site with its counts and beds, and the lists of sites. */
function useRefresh(siteId: string) {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: ['site-list'] });
    void queryClient.invalidateQueries({ queryKey: ['today'] });
    return queryClient.invalidateQueries({ queryKey: ['sites', siteId] });
  };
}

/** Puts a person on the waitlist. The same key again has no second effect. */
export function useWait(siteId: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: Schemas['NewWaitingGuest']; idempotencyKey: string }) =>
      unwrap(
        client.POST('/api/Sites/{id}/waitlist', {
          params: { path: { id: siteId }, header: { 'Idempotency-Key': idempotencyKey } },
          body,
        }),
      ),
    onSettled: useRefresh(siteId),
  });
}

/** Gives a person the offered bed. The same key again has no second effect. */
export function useTakeOffer(siteId: string) {
  return useMutation({
    mutationFn: ({ person, idempotencyKey }: { person: Person; idempotencyKey: string }) =>
      unwrap(
        client.POST('/api/Waitlist/{id}/take', {
          params: { path: { id: person.id }, header: { 'Idempotency-Key': idempotencyKey } },
          body: { version: person.version },
        }),
      ),
    onSettled: useRefresh(siteId),
  });
}

/** What else may be done for a person on the waitlist. */
export interface WaitCommand {
  person: Person;
  command: 'DECLINE' | 'LEAVE' | 'PRIORITIZE';
  reason?: string;
}

/** Declines the offer to a person, takes the person off the list, or changes the priority. */
export function useChangeWaiting(siteId: string) {
  return useMutation({
    mutationFn: ({ person, command, reason }: WaitCommand) =>
      unwrap(
        client.PATCH('/api/Waitlist/{id}', {
          params: { path: { id: person.id } },
          body: { command, reason: reason ?? null, version: person.version },
        }),
      ),
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
