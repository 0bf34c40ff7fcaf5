import i18next from 'i18next';
import type { Schemas } from '@/api/client';
import { CARD_SIDES, type CardSide } from '../card-upload';
import type { Proof } from './public-queries';
import { publicClient, unwrapPublic } from './public-client';

/** A call that is repeated under the same key until its outcome is known. */
interface Keyed {
  key: string;
  signal: AbortSignal;
}

/** The server writes its text messages in the language of the page. */
const spoken = () => ({ 'Accept-Language': i18next.resolvedLanguage ?? 'en' });

/** Asks for a reservation: a code goes to the phone. */
export function askForReservation(body: Schemas['NewReservation'], { key, signal }: Keyed) {
  const params = { header: { 'Idempotency-Key': key, ...spoken() } };
  return unwrapPublic(publicClient.POST('/api/public/reservations', { params, body, signal }));
}

/** Makes the reservation with the code from the phone. */
export function confirmReservation(id: string, otp: string, { key, signal }: Keyed) {
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  return unwrapPublic(publicClient.POST('/api/public/reservations/{id}/confirm', { params, body: { otp }, signal }));
}

/** Adds pictures of the insurance card to a reservation that was just confirmed. Sending a side again replaces it. */
export function addCardPictures(id: string, sides: Partial<Record<CardSide, File>>) {
  const form = new FormData();
  for (const side of CARD_SIDES) {
    const file = sides[side];
    if (file) form.append(side, file);
  }
  const params = { path: { id } };
  const bodySerializer = () => form;
  return unwrapPublic(publicClient.POST('/api/public/reservations/{id}/cards', { params, body: {}, bodySerializer }));
}

/** Cancels a reservation. Repeating it changes nothing. */
export function cancelReservation({ code, digits }: Proof, signal: AbortSignal) {
  const params = { path: { code } };
  const body = { phoneLastFour: digits };
  return unwrapPublic(publicClient.POST('/api/public/reservations/{code}/cancel', { params, body, signal }));
}
