/** Keys of guest queries. Those of a site start with `['sites', siteId]`: one prefix refreshes the site. */
export const guestKeys = {
  /** All pending and assigned guests of a site. */
  list: (siteId: string) => ['sites', siteId, 'guests'] as const,
  /** One guest, whose site is not known before the answer; `useLiveGuest` keeps it fresh. */
  one: (guestId: string) => ['guests', guestId] as const,
  /** What happened to a guest up to a version. */
  timeline: (guestId: string, version: number) => ['guests', guestId, 'timeline', version] as const,
};
