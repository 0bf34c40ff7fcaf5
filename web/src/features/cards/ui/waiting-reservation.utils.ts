import * as z from 'zod/mini';
import { idSearchField } from '@/lib/search-field';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** True if the entry before this one is the page of the reservation that waits. */
    isAfterReservation?: boolean;
  }
}

/** For `validateSearch` of Credit cards and Billing: what waits there, so that they lead back to it. */
export const waitingSearch = z.object({
  /** Id of the guest whose reservation waits for a card or a payment. */
  reservation: idSearchField,
  /** Id of the site whose subscription was about to be started on Billing. */
  subscribe: idSearchField,
});

/** Props of a link from the page of a reservation to such a screen. */
export function fromReservation(guestId: string | undefined) {
  return guestId === undefined ? {} : { search: { reservation: guestId }, state: { isAfterReservation: true } };
}
