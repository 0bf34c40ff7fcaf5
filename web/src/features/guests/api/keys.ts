/** Keys of guest queries. Those of a site start with `['sites', siteId]`: one prefix refreshes the site. */
export const guestKeys = {
  /** All pending and assigned guests of a site. */
  list: (siteId: string) => ['sites', siteId, 'guests'] as const,
  /** One guest, whose site is not known before the answer; `useLiveGuest` keeps it fresh. */
  one: (guestId: string) => ['guests', guestId] as const,
  /** The other reservations of the same person. */
  earlier: (guestId: string) => ['guests', guestId, 'earlier'] as const,
  /** The reservations of a person who is not added yet. In memory alone, like every key: it holds a phone number. */
  earlierOfPerson: (person: object) => ['earlier-reservations', person] as const,
  /** What happened to a guest up to a version. */
  timeline: (guestId: string, version: number) => ['guests', guestId, 'timeline', version] as const,
};
