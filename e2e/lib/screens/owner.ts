import { expect, type Page } from '@playwright/test';
import { type Screen, sitePath, waitUntilLoaded } from './screen.ts';

/** Screens of an owner, who also changes houses and beds. */
export const OWNER_SCREENS: readonly Screen[] = [
  {
    name: 'new site, with errors',
    path: ({ site }) => `/sites/new/${site.organizationId}`,
    open: async (page) => {
      // The page scrolls to its top when it is drawn, and moves once more when photos and address are there. A press in
      // those milliseconds, which no hand makes, can fall beside the button.
      await waitUntilLoaded(page);
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
  { name: 'site: numbers', path: (world) => sitePath(world, 'numbers'), open: charts },
  {
    name: 'numbers of an organization, with errors',
    path: ({ site }) => `/organizations/${site.organizationId}/numbers?from=2020-01-01`,
    open: async (page) => expect(page.locator('[aria-invalid=true]')).toBeVisible(),
  },
  {
    name: 'numbers of an organization, a year',
    path: ({ site }) => `/organizations/${site.organizationId}/numbers?days=365`,
    open: async (page) => {
      await charts(page);
      await page.getByRole('button', { name: /^(Download How holds ended|Descargar Plazos de reserva)$/ }).click();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
    },
  },
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
    name: 'a vacant bed in the side panel, to be disabled',
    path: (world) => `${sitePath(world, 'houses')}&bed=${world.vacant.id}`,
    open: async (page) => {
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Disable Bed|Desactivar cama)$/ })
        .click();
      await expect(page.getByRole('dialog')).toHaveCount(2);
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
      await page.locator(`[data-house-head="${site.rooms[0]?.id}"] [aria-haspopup="menu"]`).click();
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
    name: 'reasons, with errors',
    path: ({ site }) => `/organizations/${site.organizationId}`,
    open: async (page) => {
      await page.locator('[data-organization-menu] button').click();
      await page.getByRole('menuitem', { name: /^(Reasons|Motivos)/ }).click();
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
  {
    name: 'billing, with what was paid per month as a table',
    path: ({ site }) => `/payment-details/${site.organizationId}`,
    open: async (page) => {
      await page.getByText(/^(Show as a table|Mostrar como tabla)$/).click();
      await expect(page.getByRole('table', { name: /^(Paid per month|Pagado por mes)$/ })).toBeVisible();
    },
  },
];

/** The charts of the numbers load after their tables. */
async function charts(page: Page): Promise<void> {
  await expect(page.locator('main figure').first()).toBeVisible();
}
