import { expect, type Page } from '@playwright/test';
import { Api, type Bed, type Guest, type Site, takenPlaces, vacantPlaces } from './api.ts';
import { MAIN_SITE, UNPAID_SITE } from './accounts.ts';

/** What the screens of the tests are about. */
export interface World {
  readonly site: Site;
  readonly pending: Guest;
  readonly assigned: Guest;
  /** A bed with a guest, and one without. */
  readonly taken: Bed;
  readonly vacant: Bed;
}

export async function findWorld(api: Api): Promise<World> {
  const site = await api.siteCalled(MAIN_SITE);
  const guests = await api.guests(site.id);
  const pending = guests.find(({ status }) => status === 'pending');
  const inBed = new Set(takenPlaces(site).map(({ bed }) => bed.guest?.id));
  const assigned = guests.find(({ id }) => inBed.has(id));
  const taken = takenPlaces(site)[0]?.bed;
  const vacant = vacantPlaces(site)[0]?.bed;
  if (!pending || !assigned || !taken || !vacant) throw new Error(`${site.name} is too full or too empty.`);
  return { site, pending, assigned, taken, vacant };
}

/** One screen: how to get there and, where there is more to see, what to open on it. Names hold in both languages. */
export interface Screen {
  readonly name: string;
  readonly path: (world: World) => string;
  readonly open?: (page: Page, world: World) => Promise<void>;
}

/** Screens for people who are not signed in. */
export const PUBLIC_SCREENS: readonly Screen[] = [
  { name: 'sign in', path: () => '/login' },
  {
    name: 'sign in with errors',
    path: () => '/login',
    open: async (page) => {
      await page.locator('button[type=submit]').click();
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible();
    },
  },
  {
    name: 'agreement',
    path: () => '/login',
    open: async (page) => {
      await page.getByRole('checkbox').first().click();
      await expect(page.getByRole('dialog').getByRole('heading', { level: 3 }).first()).toBeVisible();
    },
  },
  { name: 'restore access', path: () => '/restore-password' },
  { name: 'new password without a link', path: () => '/reset-password' },
  { name: 'new email without a link', path: () => '/confirm-email' },
  { name: 'old email without a link', path: () => '/undo-email-change' },
  { name: 'error', path: () => '/error?message=The%20link%20is%20too%20old.&source=Invitation' },
  { name: 'contact', path: () => '/contact-us' },
  { name: 'privacy', path: () => '/privacy-policy' },
  { name: 'terms', path: () => '/terms-and-conditions' },
  { name: 'user agreement', path: () => '/user-agreement' },
  { name: 'faq', path: () => '/faq' },
  { name: 'invitation link without a token', path: () => '/login/callback' },
  { name: 'invitation without a token', path: () => '/signup' },
  { name: 'invitation that has expired', path: () => '/signup-expired' },
  { name: 'new invitation on its way', path: () => '/signup-check-email' },
];

/** Screens of a signed-in admin. */
export const SCREENS: readonly Screen[] = [
  { name: 'organizations', path: () => '/organizations' },
  { name: 'profile', path: () => '/user-settings' },
  { name: 'invitations', path: () => '/invitations' },
  {
    name: 'profile: password',
    path: () => '/user-settings',
    open: async (page) => {
      await page.getByRole('button', { name: /^(Security|Seguridad)$/ }).click();
      await expect(page.getByLabel(/^(Old password|Contraseña anterior)$/)).toBeVisible();
    },
  },
  {
    name: 'profile: authenticator app',
    path: () => '/user-settings',
    open: async (page) => {
      await page.getByRole('button', { name: /^(Security|Seguridad)$/ }).click();
      await page.getByRole('button', { name: /^(Set up authenticator app|Configurar la aplicación)$/ }).click();
      await expect(page.getByRole('img').or(page.getByRole('dialog')).first()).toBeVisible();
    },
  },
  { name: 'sites whose users are managed', path: () => '/user-management' },
  {
    name: 'users of a site, with a menu',
    path: ({ site }) => `/user-management/${site.id}`,
    open: async (page) => {
      await page.locator('main').getByRole('button', { name: /@/ }).first().click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'invitation with errors',
    path: ({ site }) => `/user-management/${site.id}`,
    open: async (page) => {
      await page.locator('[data-tour=invite]').click();
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]').first()).toBeVisible();
    },
  },
  {
    name: 'removal of a user',
    path: ({ site }) => `/user-management/${site.id}`,
    open: async (page) => {
      await page.locator('main').getByRole('button', { name: /@/ }).first().click();
      await page.getByRole('menuitem').last().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'explanation of the users',
    path: ({ site }) => `/user-management/${site.id}`,
    open: async (page) => {
      await page.getByRole('button', { name: /^(Help|Ayuda)$/ }).click();
      await page.getByRole('menuitem').first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'help menu',
    path: () => '/organizations',
    open: async (page) => {
      await page.getByRole('button', { name: /^(Help|Ayuda)$/ }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'page explanation',
    path: () => '/organizations',
    open: async (page) => {
      await page.getByRole('button', { name: /^(Help|Ayuda)$/ }).click();
      await page.getByRole('menuitem').first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'navigation (a drawer where the window is narrow)',
    path: () => '/organizations',
    open: async (page) => {
      const drawer = page.getByRole('button', { name: /^(Open navigation|Abrir navegación|Abrir la navegación)$/ });
      if (await drawer.isVisible()) await drawer.click();
      await expect(page.getByRole('navigation').getByRole('link').first()).toBeVisible();
    },
  },
  { name: 'organization', path: ({ site }) => `/organizations/${site.organizationId}` },
  { name: 'sites with reservations', path: () => '/reservations' },
  { name: 'sites', path: () => '/sites' },
  {
    name: 'site: information, all of the description',
    path: (world) => sitePath(world, 'information'),
    open: async (page) => {
      await page.getByRole('button', { name: /^(more|más)$/ }).click();
      await expect(page.getByRole('button', { name: /^(less|menos)$/ })).toBeVisible();
    },
  },
  { name: 'edit a site', path: ({ site }) => `/sites/${site.id}/edit` },
  {
    name: 'edit a site, with errors',
    path: ({ site }) => `/sites/${site.id}/edit`,
    open: async (page) => {
      await page.locator('textarea:not([aria-hidden])').fill('Short');
      await page.locator('input[name=name]').fill('');
      await page.locator('form button[type=submit]').click();
      await expect(page.locator('[aria-invalid=true]').first()).toBeFocused();
    },
  },
  { name: 'site: houses', path: (world) => sitePath(world, 'houses') },
  { name: 'site: vacant beds', path: (world) => `${sitePath(world, 'houses')}&beds=vacant` },
  { name: 'site: reservations', path: (world) => sitePath(world, 'reservations') },
  { name: 'site: guests', path: (world) => sitePath(world, 'guests') },
  { name: 'sites with a history', path: () => '/history' },
  { name: 'history', path: ({ site }) => `/history/${site.id}`, open: rowsOfHistory },
  { name: 'site: history', path: (world) => sitePath(world, 'history'), open: rowsOfHistory },
  {
    name: 'history: guest in the side panel',
    path: ({ site, assigned }) => `/history/${site.id}?panel=${assigned.id}`,
    open: async (page) => expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible(),
  },
  {
    name: 'history: vacant beds in the side panel',
    path: ({ site, assigned }) => `/history/${site.id}?panel=${assigned.id}`,
    open: async (page) => {
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Reassign|Reasignar)$/ })
        .click();
      await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
    },
  },
  {
    name: 'history: details of a guest',
    path: ({ site, assigned }) => `/history/${site.id}?guest=${assigned.id}`,
    open: async (page) => expect(page.getByRole('dialog')).toBeVisible(),
  },
  { name: 'reservations: overview', path: ({ site }) => `/reservations/${site.id}` },
  {
    name: 'reservation',
    path: ({ site, pending }) => `/reservations/${site.id}?tab=reservations&reservation=${pending.id}`,
    open: async (page) => expect(page.getByRole('dialog')).toBeVisible(),
  },
  {
    name: 'decline',
    path: ({ site }) => `/reservations/${site.id}?tab=reservations`,
    open: async (page, { pending }) => {
      const decline = new RegExp(`^(Decline|Rechazar a) ${pending.displayName}$`);
      await page.getByRole('button', { name: decline }).click();
      await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible();
    },
  },
  {
    name: 'new guest with errors',
    path: ({ site }) => `/reservations/${site.id}?tab=reservations&open=new-guest`,
    open: async (page) => {
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]').first()).toBeVisible();
    },
  },
  { name: 'bed for a reservation', path: ({ pending }) => `/reservations-request/${pending.id}` },
  {
    name: 'another bed for a guest, one chosen, all shown',
    path: ({ assigned }) => `/reservations-request/${assigned.id}`,
    open: async (page) => {
      await page.getByRole('switch').check();
      await page
        .locator('label')
        .filter({ has: page.getByRole('radio') })
        .first()
        .click();
      await expect(page.getByRole('radio').first()).toBeChecked();
    },
  },
  { name: 'guest', path: ({ site, assigned }) => `/reservations/guest/${site.id}/${assigned.id}` },
  { name: 'guest of a reservation', path: ({ site, pending }) => `/reservations/guest/${site.id}/${pending.id}` },
  {
    name: 'board',
    path: ({ site }) => `/reservations/${site.id}?tab=guests&open=board`,
    open: async (page) => expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible(),
  },
  {
    name: 'board in Move mode',
    path: ({ site }) => `/reservations/${site.id}?tab=guests&open=board`,
    open: async (page, { assigned }) => {
      await page.getByRole('button', { name: assigned.displayName }).and(page.locator('[aria-pressed]')).click();
      await expect(page.locator('[data-choice]').first()).toBeVisible();
    },
  },
  {
    name: 'board with its question',
    path: ({ site }) => `/reservations/${site.id}?tab=guests&open=board`,
    open: async (page, { assigned }) => {
      await page.getByRole('button', { name: assigned.displayName }).and(page.locator('[aria-pressed]')).click();
      await page.locator('[data-verdict=swap]').first().click();
      await expect(page.getByRole('dialog')).toHaveCount(2);
    },
  },
  { name: 'page that does not exist', path: () => '/organizations/00000000-0000-7000-8000-000000000000' },
];

/** Screens of an owner, who also changes houses and beds. */
export const OWNER_SCREENS: readonly Screen[] = [
  {
    name: 'new site, with errors',
    path: ({ site }) => `/sites/new/${site.organizationId}`,
    open: async (page) => {
      await page.locator('form button[type=submit]').click();
      await expect(page.locator('[aria-invalid=true]').first()).toBeFocused();
    },
  },
  {
    name: 'delete a site on its page',
    path: ({ site }) => `/sites/${site.id}/edit`,
    open: async (page) => {
      await page.getByRole('button', { name: /^(Delete site|Eliminar centro)$/ }).click();
      await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible();
    },
  },
  { name: 'site: users', path: (world) => sitePath(world, 'users') },
  {
    name: 'edit a user',
    path: (world) => `${sitePath(world, 'users')}&size=25`,
    open: async (page) => {
      await page.getByRole('button', { name: /intake@demo\.example/ }).click();
      await page.getByRole('menuitem').first().click();
      await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible();
    },
  },
  {
    name: 'menu of a bed',
    path: (world) => sitePath(world, 'houses'),
    open: async (page, { taken }) => {
      await page.locator(`[data-bed-menu="${taken.id}"]`).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'history of a bed',
    path: (world) => sitePath(world, 'houses'),
    open: async (page, { taken }) => {
      await page.locator(`[data-bed-menu="${taken.id}"]`).click();
      await page.getByRole('menuitem', { name: /^(History|Historial)/ }).click();
      await expect(page.getByRole('dialog').locator('time').first()).toBeVisible();
    },
  },
  {
    name: 'bed that cannot be disabled',
    path: (world) => sitePath(world, 'houses'),
    open: async (page, { taken }) => {
      await page.locator(`[data-bed-menu="${taken.id}"]`).click();
      await page.getByRole('menuitem').nth(1).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'edit a bed',
    path: (world) => sitePath(world, 'houses'),
    open: async (page, { vacant }) => {
      await page.locator(`[data-bed-menu="${vacant.id}"]`).click();
      await page.getByRole('menuitem').first().click();
      await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible();
    },
  },
  {
    name: 'remove a bed',
    path: (world) => sitePath(world, 'houses'),
    open: async (page, { vacant }) => {
      await page.locator(`[data-bed-menu="${vacant.id}"]`).click();
      await page.getByRole('menuitem').last().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'add beds',
    path: (world) => sitePath(world, 'houses'),
    open: async (page, { site }) => {
      await page.locator(`[data-house-head="${site.rooms[0]?.id}"]`).getByRole('button').click();
      await page.getByRole('menuitem').nth(1).click();
      await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible();
    },
  },
  {
    name: 'organization with its menu',
    path: ({ site }) => `/organizations/${site.organizationId}`,
    open: async (page) => {
      await page.locator('[data-organization-menu] button').click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'edit an organization',
    path: () => '/organizations',
    open: async (page) => {
      await page.locator('[data-organization-menu] button').first().click();
      await page.getByRole('menuitem').first().click();
      await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible();
    },
  },
  {
    name: 'delete an organization',
    path: () => '/organizations',
    open: async (page) => {
      await page.locator('[data-organization-menu] button').first().click();
      await page.getByRole('menuitem').last().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'owners, with errors',
    path: ({ site }) => `/organizations/${site.organizationId}`,
    open: async (page) => {
      await page.getByRole('button', { name: /^(Owners List|Lista de propietarios)$/ }).click();
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]').first()).toBeVisible();
    },
  },
  {
    name: 'delete a site',
    path: ({ site }) => `/organizations/${site.organizationId}`,
    open: async (page, { site }) => {
      await page.locator(`[data-site-menu="${site.id}"] button`).click();
      await page.getByRole('menuitem').last().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'insurers of an organization',
    path: ({ site }) => `/organizations/${site.organizationId}/insurances`,
  },
  {
    name: 'add insurers',
    path: ({ site }) => `/organizations/${site.organizationId}/insurances`,
    open: async (page) => {
      await page.getByRole('button', { name: /^(Add Insurance|Añadir seguro)$/ }).click();
      await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible();
    },
  },
  { name: 'credit cards', path: ({ site }) => `/cards/${site.organizationId}` },
  {
    name: 'credit cards: menu of a card',
    path: ({ site }) => `/cards/${site.organizationId}`,
    open: async (page) => {
      await page.locator('[data-card-menu] button').last().click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'new card, with errors',
    path: ({ site }) => `/cards/${site.organizationId}`,
    open: async (page) => {
      await page.getByRole('button', { name: /^(Add new card|Añadir tarjeta)$/ }).click();
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]').first()).toBeFocused();
    },
  },
  {
    name: 'delete a card',
    path: ({ site }) => `/cards/${site.organizationId}`,
    open: async (page) => {
      await page.locator('[data-card-menu] button').first().click();
      await page.getByRole('menuitem').last().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  { name: 'billing', path: ({ site }) => `/payment-details/${site.organizationId}` },
];

/** Screens of a global admin. */
export const GLOBAL_SCREENS: readonly Screen[] = [
  { name: 'non-commercial organizations', path: () => '/free-rehabs' },
  { name: 'commercial organizations', path: () => '/paid-rehabs' },
  {
    name: 'new organization with errors',
    path: () => '/paid-rehabs',
    open: async (page) => {
      await page.getByRole('button', { name: /^(New Organization|Nueva organización)$/ }).click();
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]').first()).toBeVisible();
    },
  },
  {
    name: 'global overview: organizations',
    path: () => '/free-rehabs',
    open: async (page) => {
      await page.getByRole('button', { name: /^(Global overview|Vista global)$/ }).click();
      await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible();
    },
  },
  {
    name: 'global overview: users',
    path: () => '/free-rehabs',
    open: async (page) => {
      await page.getByRole('button', { name: /^(Global overview|Vista global)$/ }).click();
      await page.getByRole('tab').nth(1).click();
      await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
    },
  },
  { name: 'insurance companies', path: () => '/insurances' },
  {
    name: 'new insurance company with errors',
    path: () => '/insurances',
    open: async (page) => {
      await page.getByRole('button', { name: /^(New Insurance|Nuevo seguro)$/ }).click();
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]').first()).toBeVisible();
    },
  },
  {
    name: 'delete an insurance company',
    path: () => '/insurances',
    open: async (page) => {
      await page.locator('[data-insurer-menu] button').first().click();
      await page.getByRole('menuitem').last().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  { name: 'dashboard: users', path: () => '/dashboard' },
  {
    name: 'dashboard: user details',
    path: () => '/dashboard?size=25&dense=true',
    open: async (page) => {
      await page.getByRole('checkbox').nth(1).check();
      await page
        .getByRole('button', { name: /^(Details of|Detalles de) / })
        .first()
        .click();
      await expect(page.getByRole('dialog').getByRole('heading', { level: 3 }).first()).toBeVisible();
    },
  },
  {
    name: 'dashboard: organization details',
    path: () => '/dashboard/paid-rehabs?tab=organizations',
    open: async (page) => {
      await page
        .getByRole('button', { name: /^(Details of|Detalles de) / })
        .first()
        .click();
      await expect(page.getByRole('dialog').getByRole('table')).toBeVisible();
    },
  },
  {
    name: 'dashboard: sites',
    path: () => '/dashboard?tab=sites',
    open: async (page) => expect(page.locator('figure')).toBeVisible(),
  },
  {
    name: 'dashboard: occupancy of a site as a table',
    path: () => '/dashboard?tab=sites',
    open: async (page, { site }) => {
      await page.getByRole('button', { name: site.name, exact: true }).click();
      await page.getByRole('dialog').locator('summary').click();
      await expect(page.getByRole('dialog').getByRole('rowheader').first()).toBeVisible();
    },
  },
  { name: 'audit log: everything', path: () => '/logs', open: rowsOfLog },
  { name: 'audit log: failed sign-ins', path: () => '/logs?tab=failed', open: rowsOfLog },
  { name: 'audit log: guests', path: () => '/logs?tab=guests', open: rowsOfLog },
  { name: 'audit log: passwords', path: () => '/logs?tab=password', open: rowsOfLog },
];

/** Screens of an owner whose sites have no active subscription, and no card to pay with. */
export const PAYING_OWNER_SCREENS: readonly Screen[] = [
  { name: 'subscription needed: an owner without a card', path: () => '/reservations', open: openPrompt },
  {
    name: 'credit cards while a reservation waits',
    path: () => '/reservations',
    open: async (page) => {
      await openPrompt(page);
      await page.getByRole('alert').getByRole('link').click();
      await expect(page.getByRole('note').getByRole('button')).toBeVisible();
    },
  },
  {
    name: 'plan without a card',
    path: () => '/payment-details',
    open: async (page) => {
      await pressStart(page);
      await expect(page.getByRole('dialog').getByRole('link')).toBeVisible();
    },
  },
  { name: 'plan', path: () => '/payment-details', open: openPlan },
  {
    name: 'plan with a wrong code',
    path: () => '/payment-details',
    open: async (page) => {
      await openPlan(page);
      await page.getByRole('dialog').getByRole('textbox').fill('SUMMER25');
      await page.getByRole('dialog').getByRole('textbox').press('Enter');
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]')).toBeVisible();
    },
  },
  {
    name: 'review of a plan',
    path: () => '/payment-details',
    open: async (page) => {
      await openPlan(page);
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible();
    },
  },
];

/** Screens of an admin of such a site. */
export const PAYING_ADMIN_SCREENS: readonly Screen[] = [
  { name: 'subscription needed: an admin', path: () => '/reservations', open: openPrompt },
];

/** Opens the page on which a reservation from the search would be accepted. */
async function openPrompt(page: Page): Promise<void> {
  const api = new Api(page.request);
  const site = await api.siteCalled(UNPAID_SITE);
  const guest = (await api.guests(site.id)).find(({ status, source }) => status === 'pending' && source === 'Web');
  if (!guest) throw new Error(`Nobody waits at ${UNPAID_SITE}.`);
  await page.goto(`/reservations-request/${guest.id}`);
  await expect(page.getByRole('alert')).toBeVisible();
}

/** Opens the plans as if there were a card: the owner's first one is added elsewhere. */
async function openPlan(page: Page): Promise<void> {
  const card = { id: '00000000-0000-7000-8000-000000000000', brand: 'visa', lastFourDigits: '4242', isDefault: true };
  const json = [{ ...card, expirationDate: '4/40', formattedExpirationDate: '4/40' }];
  const cards = '**/api/Subscriptions/savedPaymentMethods*';
  await page.route(cards, (route) => route.fulfill({ json }));
  await pressStart(page);
  await expect(page.getByRole('dialog').getByRole('radio').first()).toBeVisible();
  await page.unroute(cards);
}

async function pressStart(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Start Subscription|Iniciar suscripción): / }).click();
}

/** Each list of the demo's audit log has rows; on a phone they are cards. */
async function rowsOfLog(page: Page): Promise<void> {
  await expect(page.locator('main time').first()).toBeVisible();
}

/** Each list of the main site's history has guests, or says that it has none. */
async function rowsOfHistory(page: Page): Promise<void> {
  await expect(page.locator('main time').first()).toBeVisible();
}

function sitePath({ site }: World, tab: string): string {
  return `/organizations/${site.organizationId}/${site.id}?tab=${tab}`;
}

/** Opens a screen and waits until it is there: a heading, and nothing that still loads. */
export async function show(page: Page, screen: Screen, world: World): Promise<void> {
  await page.goto(screen.path(world));
  await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first()).toBeVisible();
  await screen.open?.(page, world);
  await expect(page.locator('[data-skeleton], .mantine-Skeleton-root')).toHaveCount(0);
}
