import { expect, it } from 'vitest';
import { publicSettings } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, serve } from '@/testing/server';
import { LegalPage } from './components/legal-page';

it('the page of the terms has their heading and date, and says in the demo that it is a demonstration', async () => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderView(<LegalPage document="terms" />, { user: null });
  await expect.element(screen.getByRole('heading', { name: 'Terms and Conditions', level: 1 })).toBeVisible();
  await expect.element(screen.getByText('January 29, 2025')).toBeVisible();
  await expect.element(screen.getByText(/^This is a demonstration\./)).toBeVisible();
  await screen.unmount();
  serve(answerGet('/api/public/settings', publicSettings({ demo: false })));
  const real = await renderView(<LegalPage document="terms" />, { user: null });
  await expect.element(real.getByText('January 29, 2025')).toBeVisible();
  await expect.element(real.getByText(/^This is a demonstration\./)).not.toBeInTheDocument();
});

it.each([
  ['terms', 'An Organization Owner manages', 'A Site Admin manages', 'Intake decides', 'Staff sees'],
  ['terms', 'between 1 and 72 hours', 'the reservation expires and the place is free again'],
  ['terms', 'at most two active reservations'],
  ['terms', 'must remove the account of every person who leaves'],
  ['agreement', 'Organization Owner, Site Admin, Intake or Staff', 'must remove the accounts of people who leave'],
] as const)('the %s say: %s', async (document, ...sentences) => {
  serve(answerGet('/api/public/settings', publicSettings()));
  const screen = await renderView(<LegalPage document={document} />, { user: null });
  for (const sentence of sentences) {
    // oxlint-disable-next-line no-await-in-loop
    await expect.element(screen.getByText(sentence, { exact: false }).first()).toBeVisible();
  }
});
