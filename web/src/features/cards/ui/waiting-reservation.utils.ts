import * as z from 'zod/mini';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** True if the entry before this one is the page of the reservation that waits. */
    isAfterReservation?: boolean;
  }
}

/** For `validateSearch` of the screens that an owner is sent to from a reservation: its id, so that they lead back to it. */
export const waitingReservationSearch = z.object({
  reservation: z.catch(z.optional(z.uuid()), undefined),
});

/** Props of a link from the page of a reservation to such a screen. */
export function fromReservation(guestId: string | undefined) {
  return guestId === undefined ? {} : { search: { reservation: guestId }, state: { isAfterReservation: true } };
}
