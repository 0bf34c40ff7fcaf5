import i18next from 'i18next';
import type { Schemas } from '@/api/client';
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

/** Cancels a reservation. Repeating it changes nothing. */
export function cancelReservation({ code, digits }: Proof, signal: AbortSignal) {
  const params = { path: { code } };
  const body = { phoneLastFour: digits };
  return unwrapPublic(publicClient.POST('/api/public/reservations/{code}/cancel', { params, body, signal }));
}
