import type { Schemas } from '@/api/client';

type Guest = Schemas['Guest'];

/** First name and last initial; the code is added where two may be alike (`displayName`). */
export function fullName(guest: Pick<Guest, 'firstName' | 'lastName'>): string {
  return guest.lastName ? `${guest.firstName} ${guest.lastName}.` : guest.firstName;
}

/** The services a guest needs as one line, each by the name that `nameOf` gives it. */
export function serviceNames(guest: Pick<Guest, 'services'>, nameOf: (service: Schemas['Service']) => string): string {
  return guest.services.map(nameOf).join(', ');
}

/** How a guest pays at a commercial site, as the catalogue tells it. */
export function methodOf(payment: Schemas['GuestPayment']): { category: Schemas['PaymentMethod']; name: string } {
  return { category: payment.reservationPaymentMethodCategory, name: payment.reservationPaymentMethodName };
}

/** Whether the name or the code of a guest holds the text, whatever the case. Empty text fits everyone. */
export function fitsText(guest: Pick<Guest, 'firstName' | 'lastName' | 'code' | 'displayName'>, text: string): boolean {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return true;
  const known = `${guest.displayName} ${guest.firstName} ${guest.lastName} ${guest.code}`.toLocaleLowerCase();
  return wanted.split(/\s+/).every((part) => known.includes(part));
}
