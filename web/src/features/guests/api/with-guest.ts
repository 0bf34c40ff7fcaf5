import type { Schemas } from '@/api/client';

/** Whether a guest in this state stands in the site's list: pending or assigned to a bed. */
export function isListed({ status }: Pick<Schemas['Guest'], 'status'>): boolean {
  return status === 'pending' || status === 'accepted' || status === 'reassigned';
}

/** The list after a guest has changed: in its place while pending or assigned, gone otherwise, new ones at the end. */
export function withGuest(guests: readonly Schemas['Guest'][], guest: Schemas['Guest']): readonly Schemas['Guest'][] {
  if (!isListed(guest)) return guests.filter(({ id }) => id !== guest.id);
  const isKnown = guests.some(({ id }) => id === guest.id);
  return isKnown ? guests.map((other) => (other.id === guest.id ? guest : other)) : [...guests, guest];
}
