import { expect, type Page } from '@playwright/test';
import { type Screen, sitePath } from './screen.ts';

/** Screens of a signed-in admin. */
export const SCREENS: readonly Screen[] = [
  { name: 'organizations', path: () => '/organizations' },
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

/** Each list of the main site's history has guests, or says that it has none. */
async function rowsOfHistory(page: Page): Promise<void> {
  await expect(page.locator('main time').first()).toBeVisible();
}
