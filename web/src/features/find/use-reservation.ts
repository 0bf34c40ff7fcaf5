import { useCallback, useMemo, useState } from 'react';
import type { Schemas } from '@/api/client';
import type { Proof } from './api/public-queries';
import { EMPTY_RESERVATION, type ReservationValues } from './find.schema';

/** A request that waits for the code from the phone. */
export interface PendingRequest {
  siteId: string;
  /** What was asked for: asking for the same again gets the same answer under the same key. */
  body: Schemas['NewReservation'];
  key: string;
  id: string;
  codeExpiresAt: string;
  /** When another code may be asked for, in epoch milliseconds of the server. */
  resendAt: number;
}

/** What was typed for a site. */
interface Draft {
  siteId: string;
  values: ReservationValues;
}

/**
 * Everything about a guest that the page knows. It lives in the memory of this page alone: a reload, a closed tab or a made
 * reservation forgets it.
 */
export function useReservation() {
  const [draft, setDraft] = useState<Draft>();
  const [request, setRequest] = useState<PendingRequest>();
  const [proof, setProof] = useState<Proof>();
  const [isNew, setIsNew] = useState(false);
  const valuesFor = useCallback(
    (siteId: string) => (draft?.siteId === siteId ? draft.values : EMPTY_RESERVATION),
    [draft],
  );
  const finish = useCallback((made: Proof) => {
    setDraft(undefined);
    setRequest(undefined);
    setProof(made);
    setIsNew(true);
  }, []);
  const show = useCallback((found: Proof | undefined) => {
    setProof(found);
    setIsNew(false);
  }, []);
  return useMemo(
    () => ({ draft, setDraft, valuesFor, request, setRequest, proof, isNew, finish, show }),
    [draft, valuesFor, request, proof, isNew, finish, show],
  );
}

export type Reservation = ReturnType<typeof useReservation>;
