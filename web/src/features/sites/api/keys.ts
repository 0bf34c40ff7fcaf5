/** Keys of site queries. What belongs to one site starts with `['sites', siteId]`: one prefix refreshes it. */
export const siteKeys = {
  details: (siteId: string) => ['sites', siteId, 'details'] as const,
  /** Lists of sites with their counts; any event of any site makes them old. */
  list: (organizationId: string | null) => ['site-list', organizationId ?? 'all'] as const,
};
