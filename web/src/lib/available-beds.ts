/** Beds that a site can still promise: its vacant enabled beds less the reservations that hold one (DESIGN section 3). */
export function availableBeds(vacant: number, pending: number): number {
  return Math.max(0, vacant - pending);
}
