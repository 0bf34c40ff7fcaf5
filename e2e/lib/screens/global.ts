import { expect, type Page } from '@playwright/test';
import type { Screen } from './screen.ts';

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

/** Each list of the demo's audit log has rows; on a phone they are cards. */
async function rowsOfLog(page: Page): Promise<void> {
  await expect(page.locator('main time').first()).toBeVisible();
}
