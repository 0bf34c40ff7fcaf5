/** Where each text of the tour points: an attribute of our own, or one that the screen has for other reasons. */
export const PLACES = {
  way: '[data-tour="way"]',
  counts: '[data-tour="counts"]',
  todayFilters: '[data-tour="today-filters"]',
  todayWaiting: '[data-tour="today-waiting"]',
  todayFree: '[data-tour="today-free"]',
  todayMoves: '[data-tour="today-moves"]',
  todaySoon: '[data-tour="today-soon"]',
  createOrganization: '[data-tour="create-organization"]',
  overview: '[data-tour="overview"]',
  organizationCards: '[data-tour="cards"]',
  createInsurer: '[data-tour="create-insurer"]',
  searchInsurers: '[data-tour="search-insurers"]',
  insurerCards: '[data-tour="cards"]',
  insurersList: '[data-tour="insurers-list"]',
  ownersList: '[data-tour="owners-list"]',
  newSite: '[data-tour="new-site"]',
  siteCards: '[data-tour="cards"]',
  actions: '[data-tour="actions"]',
  tabs: 'main [role="tablist"]',
  bedFilter: '[data-tour="bed-filter"]',
  printReport: '[data-tour="print-report"]',
  addHouse: '[data-tour="add-house"]',
  house: '[data-house-head]',
  bed: '[data-bed-menu]',
  addGuest: '[data-tour="add-guest"]',
  guestFilter: '[data-tour="guest-filter"]',
  historySearch: '[data-tour="history-search"]',
  numbersRange: '[data-tour="numbers-range"]',
  numbersFigure: '[data-tour="numbers-figure"]',
  moveGuests: '[data-tour="move-guests"]',
  table: '[data-tour="table"]',
  tableSort: '[data-tour="table"] th button',
  historyTable: '[data-tour="table"]',
  insurersTable: '[data-tour="table"]',
  billingTable: '[data-tour="table"]',
  auditTable: '[data-tour="table"]',
  tableFooter: '[data-tour="table-footer"]',
  requestBeds: '[aria-labelledby="request-beds"]',
  guestSummary: '[aria-labelledby="guest-summary"]',
  wizardSteps: '[data-tour="wizard-steps"]',
  wizardFields: '[data-step-heading]',
  siteFields: '[data-step-heading]',
  invite: '[data-tour="invite"]',
  usersTable: '[data-tour="table"]',
  savedCards: '[data-tour="saved-cards"]',
  dashboardSearch: '[data-tour="dashboard-search"]',
  dashboardTotals: '[data-tour="dashboard-totals"]',
  dashboardTable: '[data-tour="table"]',
  profileContact: '[data-tour="profile-contact"]',
  profileMessages: '[data-tour="profile-messages"]',
  profilePreferences: '[data-tour="profile-preferences"]',
  profileSecurity: '[data-tour="profile-security"]',
  profileProfile: '[data-tour="profile-profile"]',
  navigation: '[data-tour="navigation"]',
  search: '[data-tour="search"]',
  language: '[data-tour="language"]',
  scheme: '[data-tour="scheme"]',
  help: '[data-tour="help"]',
  footer: '[data-tour="footer"]',
} as const;

/** A place of the tour; its texts are `place.<name>`. */
export type Place = keyof typeof PLACES;

/** The frame around every screen, explained last. */
const FRAME: readonly Place[] = ['navigation', 'search', 'language', 'scheme', 'help', 'footer'];

/** What of each screen is explained, in this order; what is not on it for this role or now is left out. */
const OWN_PLACES = {
  today: ['todayFilters', 'todayWaiting', 'todayFree', 'todayMoves', 'todaySoon'],
  list: ['createOrganization', 'overview', 'todayWaiting', 'todayFree', 'organizationCards'],
  freeRehabs: ['createOrganization', 'overview', 'organizationCards'],
  paidRehabs: ['createOrganization', 'overview', 'organizationCards'],
  organization: ['way', 'insurersList', 'ownersList', 'newSite', 'siteCards'],
  numbers: ['way', 'numbersRange', 'numbersFigure'],
  insurers: ['way', 'actions', 'insurersTable'],
  allInsurers: ['createInsurer', 'searchInsurers', 'insurerCards'],
  site: [
    'way',
    'counts',
    'tabs',
    'bedFilter',
    'printReport',
    'addHouse',
    'house',
    'bed',
    'addGuest',
    'guestFilter',
    'moveGuests',
    'historySearch',
    'numbersRange',
    'numbersFigure',
    'invite',
    'table',
    'tableSort',
    'tableFooter',
  ],
  sites: ['siteCards'],
  newSite: ['way', 'wizardSteps', 'wizardFields'],
  siteEdit: ['way', 'siteFields'],
  reservations: [
    'way',
    'counts',
    'siteCards',
    'tabs',
    'addGuest',
    'guestFilter',
    'moveGuests',
    'table',
    'tableSort',
    'tableFooter',
  ],
  request: ['counts', 'requestBeds'],
  guest: ['actions', 'guestSummary'],
  managedSites: ['siteCards'],
  siteUsers: ['way', 'invite', 'usersTable', 'tableFooter'],
  dashboard: [
    'todayWaiting',
    'todayFree',
    'tabs',
    'dashboardSearch',
    'dashboardTotals',
    'dashboardTable',
    'tableFooter',
  ],
  history: ['way', 'counts', 'siteCards', 'historySearch', 'historyTable', 'tableFooter'],
  cards: ['way', 'actions', 'savedCards'],
  billing: ['way', 'actions', 'tabs', 'billingTable', 'tableFooter'],
  auditLog: ['actions', 'tabs', 'auditTable', 'tableFooter'],
  invitations: [],
  profile: ['profileContact', 'profileMessages', 'profilePreferences', 'profileSecurity', 'profileProfile'],
  other: ['way', 'actions', 'counts', 'tabs', 'table', 'tableSort', 'tableFooter'],
} as const satisfies Record<string, readonly Place[]>;

/** A screen of the tour; its first text is `screen.<name>`. */
export type TourScreen = keyof typeof OWN_PLACES;

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Which screen the route shows: what "Page Explanation" says of it. Every route of the app that shows one names it. */
    screen?: TourScreen;
  }
}

/** Every screen, for the tests that walk them. @internal */
export const TOUR_SCREENS = Object.keys(OWN_PLACES) as TourScreen[];

/** What is explained on a screen, the frame around it last. */
export function placesOf(screen: TourScreen): readonly Place[] {
  return [...OWN_PLACES[screen], ...FRAME];
}

/** What a route that is open says of itself: its screen, and whose list it shows. */
interface OpenRoute {
  readonly staticData: { readonly screen?: TourScreen };
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** One route shows three lists, by the type in its address. */
const LISTS: Readonly<Record<string, TourScreen>> = { 'free-rehabs': 'freeRehabs', 'paid-rehabs': 'paidRehabs' };

/** The screen of the innermost open route. Each route of the app names its own. */
export function screenOf(open: readonly OpenRoute[]): TourScreen {
  const route = open.at(-1);
  const screen = route?.staticData.screen ?? 'other';
  return screen === 'list' ? (LISTS[route?.params.organizationType ?? ''] ?? screen) : screen;
}
