import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, newIdempotencyKey, type Schemas, unwrap } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { guestKeys } from './keys';
import { withGuest } from './with-guest';

/** The commands of DESIGN section 3. */
export type GuestCommand = 'ACCEPTED' | 'REASSIGNED' | 'SWAP' | 'REJECTED' | 'DISCHARGED';

/** One decision about a guest. `bedId` is needed by ACCEPTED, REASSIGNED and SWAP, null otherwise. */
export interface GuestUpdate {
  guestId: string;
  siteId: string;
  status: GuestCommand;
  bedId?: string | null;
  /** The version of the guest the decision was made on; the server refuses when it has changed since. */
  version?: number;
  feedback?: string;
}

async function updateGuest({ guestId, status, bedId, version, feedback }: GuestUpdate): Promise<Schemas['Guest']> {
  const call = client.PATCH('/api/Guests/{id}', {
    params: { path: { id: guestId } },
    headers: { 'Idempotency-Key': newIdempotencyKey() },
    body: {
      id: guestId,
      status,
      bedId: bedId ?? null,
      ...(version === undefined ? {} : { version }),
      ...(feedback ? { feedback } : {}),
    },
  });
  return unwrap(call);
}

/**
 * Accepts, reassigns, swaps, declines or discharges a guest. Afterwards, and after a refusal too, the guests and beds of
 * the site are loaded again (spec B section 4). A 409 carries the guest as it now is: `error.problem.guest`.
 */
export function useUpdateGuest() {
  const queryClient = useQueryClient();
  const keep = (guest: Schemas['Guest']) => {
    queryClient.setQueryData(guestKeys.one(guest.id), guest);
    queryClient.setQueryData<readonly Schemas['Guest'][]>(
      guestKeys.list(guest.siteId),
      (guests) => guests && withGuest(guests, guest),
    );
  };
  return useMutation({
    mutationFn: updateGuest,
    onSuccess: keep,
    onError: (error) => {
      if (error instanceof ConflictError && error.problem.guest) keep(error.problem.guest);
    },
    onSettled: (_guest, _error, { guestId, siteId }) => {
      void queryClient.invalidateQueries({ queryKey: ['sites', siteId] });
      void queryClient.invalidateQueries({ queryKey: ['site-list'] });
      void queryClient.invalidateQueries({ queryKey: guestKeys.one(guestId), refetchType: 'none' });
    },
  });
}
