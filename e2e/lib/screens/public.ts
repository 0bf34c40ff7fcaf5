import { expect } from '@playwright/test';
import type { Screen } from './screen.ts';

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
