import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, type Schemas, unwrap } from '@/api/client';
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

interface Merge {
  kept: Pick<Merged, 'id' | 'siteId'>;
  duplicate: Merged;
  idempotencyKey: string;
}

/** Merges a reservation into another one of the same person. The same key again has no second effect. */
export function useMerge() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ kept, duplicate, idempotencyKey }: Merge) =>
      unwrap(
        client.POST('/api/Guests/{id}/merge', {
          params: { path: { id: kept.id }, header: { 'Idempotency-Key': idempotencyKey } },
          body: { duplicateId: duplicate.id, version: duplicate.version },
        }),
      ),
    onSettled: (_guest, _error, { kept, duplicate }) => refresh(kept, duplicate),
  });
}

interface Unmerge extends Pick<Merge, 'kept' | 'duplicate' | 'idempotencyKey'> {}

/** Undoes the merge of a reservation. The same key again has no second effect. */
export function useUnmerge() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ duplicate, idempotencyKey }: Unmerge) =>
      unwrap(
        client.POST('/api/Guests/{id}/unmerge', {
          params: { path: { id: duplicate.id }, header: { 'Idempotency-Key': idempotencyKey } },
          body: { version: duplicate.version },
        }),
      ),
    onSettled: (_guest, _error, { kept, duplicate }) => refresh(kept, duplicate),
  });
}
