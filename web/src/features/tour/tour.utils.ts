/** Texts of the tour that belong to one place on the screen: `data-tour` or a selector, in the order of the tour. */
export const TOUR_PLACES = [
  { key: 'counts', selector: 'main dl[aria-label]' },
  { key: 'tabs', selector: 'main [role="tablist"]' },
  { key: 'addGuest', selector: '[data-tour="add-guest"]' },
  { key: 'moveGuests', selector: '[data-tour="move-guests"]' },
  { key: 'table', selector: 'main table' },
  { key: 'navigation', selector: '[data-tour="navigation"]' },
  { key: 'language', selector: '[data-tour="language"]' },
  { key: 'scheme', selector: '[data-tour="scheme"]' },
  { key: 'help', selector: '[data-tour="help"]' },
  { key: 'footer', selector: '[data-tour="footer"]' },
] as const;

/** Which screen an address is, for the first step of the tour. */
export function screenOf(
  path: string,
): 'list' | 'organization' | 'site' | 'reservations' | 'request' | 'guest' | 'other' {
  if (path.startsWith('/reservations/guest/')) return 'guest';
  if (path.startsWith('/reservations-request/')) return 'request';
  if (/^\/reservations(\/|$)/.test(path)) return 'reservations';
  const list = /^\/(organizations|free-rehabs|paid-rehabs)(?:\/([^/]+))?(?:\/([^/]+))?\/?$/.exec(path);
  if (path.startsWith('/sites/') || list?.[3]) return 'site';
  if (list?.[2]) return 'organization';
  return list ? 'list' : 'other';
}
