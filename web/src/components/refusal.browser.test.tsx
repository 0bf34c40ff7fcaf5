import { useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderView } from '@/testing/render';
import { Dialog } from './dialog/dialog';
import { Refusal } from './refusal';

beforeEach(() => page.viewport(390, 844));
afterEach(() => document.documentElement.removeAttribute('data-badge'));

/** A long form. The badge about a lost connection is shown. */
function Form() {
  const [reason, setReason] = useState<string>();
  return (
    <>
      <button onClick={() => setReason('The server could not be reached.')}>Save</button>
      <p style={{ height: 2000 }}>Fields</p>
      <Refusal>{reason}</Refusal>
      <p style={{ height: 2000 }}>More fields</p>
    </>
  );
}

/** The same on a screen of its own. */
function FormInDialog() {
  return (
    <Dialog subject title="New Guest" onClose={() => {}}>
      <Form />
    </Dialog>
  );
}

it.each([
  ['a page', Form],
  ['a dialog', FormInDialog],
])('a refusal on %s comes into view above the badge about the connection', async (_, View) => {
  document.documentElement.toggleAttribute('data-badge', true);
  const screen = await renderView(<View />);
  await screen.getByRole('button', { name: 'Save' }).click();
  const alert = screen.getByRole('alert');
  await expect.element(alert).toBeVisible();
  await expect.poll(() => alert.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(844 - 76 + 1);
  expect(alert.element().getBoundingClientRect().top).toBeGreaterThan(0);
});
