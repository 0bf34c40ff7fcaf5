import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publicSettings } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, serve } from '@/testing/server';
import {
  expectNoSidewaysScroll,
  expectWhole,
  restoreScreen,
  SMALL_SCREENS,
  useSmallScreen,
} from '@/testing/small-screen';
import { ContactPage } from './components/contact-page';

it('has a phone card and an email card', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderView(<ContactPage />, { user: null, path: '/contact-us' });
  await expect.element(screen.getByRole('heading', { name: 'Contact Us' })).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: '+1 (555) 010-1234' }))
    .toHaveAttribute('href', 'tel:+15550101234');
  await expect
    .element(screen.getByRole('link', { name: 'help@berth.example' }))
    .toHaveAttribute('href', 'mailto:help@berth.example');
});

describe.each(SMALL_SCREENS)('at $width px with letters of $letters %', (screenSize) => {
  beforeEach(() => useSmallScreen(screenSize));
  afterEach(restoreScreen);

  it('phone and email are whole, and the page does not scroll sideways', async () => {
    serve(
      answerGet('/api/public/settings', { ...publicSettings(), contactEmail: 'support@harbor-light-recovery.example' }),
    );
    const screen = await renderView(<ContactPage />, { user: null, path: '/contact-us' });
    await expect.element(screen.getByRole('link', { name: /^support@/ })).toBeInTheDocument();
    for (const link of screen.getByRole('link').elements()) expectWhole(link);
    expectNoSidewaysScroll();
  });
});
