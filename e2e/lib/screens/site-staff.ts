import { expect, type Page } from '@playwright/test';
import { type Screen, sitePath } from './screen.ts';

/** Screens of a signed-in admin. */
export const SCREENS: readonly Screen[] = [
  { name: 'organizations', path: () => '/organizations' },
  { name: 'today', path: () => '/today', open: waitingOnToday },
  {
    name: 'today: bed for a reservation',
    path: () => '/today',
    open: async (page, { pending }) => {
      const accept = new RegExp(`^(Accept|Aceptar a) ${pending.displayName}$`);
      await page.locator('main').getByRole('button', { name: accept }).click();
      await expect(page.getByRole('dialog').getByRole('radio', { checked: true })).toBeVisible();
    },
  },
  {
    name: 'today: decline',
    path: () => '/today',
    open: async (page, { pending }) => {
      const decline = new RegExp(`^(Decline|Rechazar a) ${pending.displayName}$`);
      await page.locator('main').getByRole('button', { name: decline }).click();
      await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible();
    },
  },
  {
    name: 'today: filters that leave nothing',
    path: () => '/today?payer=SlidingScale',
    open: async (page) =>
      expect(page.getByRole('button', { name: /^(Clear filters|Quitar los filtros)$/ }).first()).toBeVisible(),
  },
  {
    name: 'search: before anything is typed',
    path: () => '/organizations',
    open: async (page) => {
      await openSearch(page);
      await expect(page.getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'search: a guest',
    path: () => '/organizations',
    open: async (page, { assigned }) => {
      await openSearch(page);
      await page.getByRole('combobox').fill(assigned.code);
      await expect(page.getByRole('option').filter({ hasText: assigned.displayName })).toBeVisible();
    },
  },
  {
    name: 'search: nothing found',
    path: () => '/organizations',
    open: async (page) => {
      await openSearch(page);
      await page.getByRole('combobox').fill('qqqqqq');
      await expect(page.getByRole('dialog').getByText(/^(Nothing found\.|No se encontró nada\.)$/)).toBeVisible();
    },
  },
  {
    name: 'keyboard shortcuts',
    path: () => '/today',
    open: async (page) => {
      await page.getByRole('button', { name: /^(Help|Ayuda)$/ }).click();
      await page.getByRole('menuitem', { name: /^(Keyboard shortcuts|Atajos de teclado)$/ }).click();
      await expect(page.getByRole('dialog').getByRole('switch').first()).toBeVisible();
    },
  },
  { name: 'profile', path: () => '/user-settings' },
  { name: 'invitations', path: () => '/invitations' },
  {
    name: 'profile: messages',
    path: () => '/user-settings',
    open: async (page) => {
      await page.getByRole('button', { name: /^(Messages|Mensajes)$/ }).click();
      await page.getByRole('switch', { name: /^(Quiet hours|Horario de silencio)/ }).check();
      await expect(page.getByLabel(/^(Until|Hasta)$/)).toBeVisible();
    },
  },
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
  { name: 'waitlist: nobody', path: ({ site }) => `/waitlist/${site.id}` },
  { name: 'waitlist', path: ({ waitlistSite }) => `/waitlist/${waitlistSite.id}` },
  {
    name: 'waitlist: the form of a person',
    path: ({ waitlistSite }) => `/waitlist/${waitlistSite.id}`,
    open: async (page) => {
      await page
        .getByRole('button', { name: /^(Edit|Editar): / })
        .first()
        .click();
      await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeFocused();
    },
  },
  { name: 'site: houses', path: (world) => sitePath(world, 'houses') },
  { name: 'site: vacant beds', path: (world) => `${sitePath(world, 'houses')}&beds=vacant` },
  {
    name: 'site: a bed with its guest in the side panel',
    path: (world) => `${sitePath(world, 'houses')}&bed=${world.taken.id}`,
    open: async (page) => expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible(),
  },
  {
    name: 'site: a vacant bed in the side panel',
    path: (world) => `${sitePath(world, 'houses')}&bed=${world.vacant.id}`,
    open: async (page) => expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible(),
  },
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

/** Each list of the main site's history has guests, or says that it has none. */
async function rowsOfHistory(page: Page): Promise<void> {
  await expect(page.locator('main time').first()).toBeVisible();
}

/** The demo has reservations that wait. */
async function waitingOnToday(page: Page): Promise<void> {
  await expect(page.locator('main [data-guest]').first()).toBeVisible();
}

/** A field in the header; a button where the window is narrow. */
async function openSearch(page: Page): Promise<void> {
  await page.locator('header [data-tour=search]').filter({ visible: true }).click();
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
}
