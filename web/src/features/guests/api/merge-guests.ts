import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
import { guestCommands } from './guest-commands';
import { guestKeys } from './keys';

/** A reservation as it was seen when it is merged. */
export type Merged = Pick<Schemas['Guest'], 'id' | 'siteId' | 'version'>;

/** Loads again what a merge changes: both reservations with their timelines, the lists of both sites, and Today. */
function useRefresh() {
  const queryClient = useQueryClient();
  return (...guests: readonly Pick<Merged, 'id' | 'siteId'>[]) => {
    for (const { id, siteId } of guests) {
      void queryClient.invalidateQueries({ queryKey: guestKeys.one(id) });
      void queryClient.invalidateQueries({ queryKey: ['sites', siteId] });
    }
    void queryClient.invalidateQueries({ queryKey: ['site-list'] });
    void queryClient.invalidateQueries({ queryKey: ['today'] });
  };
}

interface Pair {
  kept: Pick<Merged, 'id' | 'siteId'>;
  duplicate: Merged;
}

/** Merges a reservation into another one of the same person; resolves when the outcome is known, like a command on a guest. */
export function useMerge() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ kept, duplicate }: Pair) =>
      guestCommands.change({
        about: duplicate.id,
        intent: `merge ${kept.id}`,
        send: (key, signal) =>
          unwrap(
            client.POST('/api/Guests/{id}/merge', {
              params: { path: { id: kept.id }, header: { 'Idempotency-Key': key } },
              body: { duplicateId: duplicate.id, version: duplicate.version },
              signal,
            }),
          ),
      }),
    onSettled: (_guest, _error, { kept, duplicate }) => refresh(kept, duplicate),
  });
}

/** Undoes the merge of a reservation; as with `useMerge`. */
export function useUnmerge() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ duplicate }: Pair) =>
      guestCommands.change({
        about: duplicate.id,
        intent: `unmerge ${duplicate.version}`,
        send: (key, signal) =>
          unwrap(
            client.POST('/api/Guests/{id}/unmerge', {
              params: { path: { id: duplicate.id }, header: { 'Idempotency-Key': key } },
              body: { version: duplicate.version },
              signal,
            }),
          ),
      }),
    onSettled: (_guest, _error, { kept, duplicate }) => refresh(kept, duplicate),
  });
}
