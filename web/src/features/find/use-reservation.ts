import { useCallback, useMemo, useState } from 'react';
import type { Schemas } from '@/api/client';
import type { CardSide, CardUpload } from './card-upload';
import type { Proof } from './api/public-queries';
import { EMPTY_RESERVATION, type ReservationValues } from './find.schema';
import { type KeptRequest, readKeptRequest } from './kept-request';

/** A request that waits for the code from the phone. */
export interface PendingRequest extends KeptRequest {
  /** How to ask for the same again; undefined after a reload of the page, which forgets what was typed. */
  again?: {
    /** What was asked for: asking for the same again gets the same answer under the same key. */
    body: Schemas['NewReservation'];
    key: string;
    /** When another code may be asked for, in epoch milliseconds of the server. */
    resendAt: number;
  };
}

/** A request that the server has just taken, and sent a code for. */
export function newRequest(
  body: Schemas['NewReservation'],
  { id, codeExpiresAt }: Schemas['ReservationRequest'],
  { siteId, key, resendAt }: { siteId: string; key: string; resendAt: number },
): PendingRequest {
  const phoneEnding = (body.phone ?? '').slice(-2);
  const confirmKey = crypto.randomUUID();
  return { siteId, id, codeExpiresAt, phoneEnding, confirmKey, refusals: 0, again: { body, key, resendAt } };
}

/** What was typed for a site. */
interface Draft {
  siteId: string;
  values: ReservationValues;
}

/**
 * Everything about a guest that the page knows. It lives in the memory of this page alone: a reload, a closed tab or a made
 * reservation forgets it. Only the request that waits for its code comes back after a reload (`kept-request.ts`).
 */
export function useReservation() {
  const [draft, setDraft] = useState<Draft>();
  const [request, setRequest] = useState<PendingRequest | undefined>(readKeptRequest);
  const [proof, setProof] = useState<Proof>();
  const [isNew, setIsNew] = useState(false);
  /** The code of a reservation that was made after a reload: its digits are not known any more. */
  const [madeCode, setMadeCode] = useState<string>();
  const [cards, setCards] = useState<CardUpload>();
  const valuesFor = useCallback(
    (siteId: string) => (draft?.siteId === siteId ? draft.values : EMPTY_RESERVATION),
    [draft],
  );
  const finish = useCallback((code: string, digits: string | undefined, upload: CardUpload | undefined) => {
    setCards(upload);
    setDraft(undefined);
    setRequest(undefined);
    setProof(digits === undefined ? undefined : { code, digits });
    setMadeCode(code);
    setIsNew(true);
  }, []);
  const show = useCallback((found: Proof | undefined) => {
    setProof(found);
    setMadeCode(undefined);
    setIsNew(false);
    setCards(undefined);
  }, []);
  const noteSent = useCallback((sides: readonly CardSide[]) => {
    setCards((before) => before && { ...before, sent: [...new Set([...before.sent, ...sides])] });
  }, []);
  return useMemo(
    () => ({ draft, setDraft, valuesFor, request, setRequest, proof, madeCode, isNew, cards, noteSent, finish, show }),
    [draft, valuesFor, request, proof, madeCode, isNew, cards, noteSent, finish, show],
  );
}

export type Reservation = ReturnType<typeof useReservation>;
