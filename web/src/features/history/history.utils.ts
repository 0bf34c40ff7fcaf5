import type { Schemas } from '@/api/client';

type Guest = Schemas['Guest'];

/** The four lists of the history, in the order of the screen (spec B section 2). */
export const HISTORY_LISTS = ['accepted', 'discharged', 'declined', 'expired'] as const;

/** One of the lists. */
export type HistoryList = (typeof HISTORY_LISTS)[number];

/** The states of the guests in a list, as the server names them. */
export const STATES_OF: Record<HistoryList, Guest['status'][]> = {
  accepted: ['accepted', 'reassigned'],
  discharged: ['discharged'],
  declined: ['rejected'],
  expired: ['expired'],
};

/** When a guest came in: into the bed, or as a reservation that never got one; null for a no-show. */
export function timeIn(guest: Pick<Guest, 'acceptedAt' | 'createdAt' | 'noShowAt'>): string | null {
  return guest.noShowAt === null ? (guest.acceptedAt ?? guest.createdAt) : null;
}

/** When a guest left, was declined or expired; null while the guest is here. */
export function timeOut(guest: Pick<Guest, 'dischargedAt' | 'rejectedAt' | 'expiredAt'>): string | null {
  return guest.dischargedAt ?? guest.rejectedAt ?? guest.expiredAt;
}

/** Returns true if a guest has stayed longer than the site allows; never at a site without a limit. */
export function isOverstay(
  guest: Pick<Guest, 'daysStayed'>,
  site: Pick<Schemas['SiteDetails'], 'lengthOfStayDaysMax'>,
): boolean {
  return site.lengthOfStayDaysMax !== null && guest.daysStayed > site.lengthOfStayDaysMax;
}
