import { http, HttpResponse } from 'msw';
import { useEffect, useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { expectNoViolations } from '@/testing/axe';
import { guest, siteDetails } from '@/testing/bed-builders';
import { renderView } from '@/testing/render';
import { serve } from '@/testing/server';
import { expectBeside, restoreScreen } from '@/testing/small-screen';
import { DepartureForm } from './departure-form';

afterEach(restoreScreen);

const site = siteDetails([]);
const ana = guest('ana', { status: 'accepted', assignedBedId: 'b1', version: 1 });
const leaving = { ...ana, expectedDeparture: '2062-12-07' };

/** Shows the form of a guest; `change` is a live update, `bodies` are what was sent. */
async function show(of: Schemas['Guest']) {
  const bodies: unknown[] = [];
  const live = { change: (_guest: Schemas['Guest']) => undefined as void };
  function Page() {
    const [shown, setShown] = useState(of);
    useEffect(() => {
      live.change = setShown;
    }, []);
    return <DepartureForm guest={shown} site={site} />;
  }
  serve(
    http.put('/api/Guests/ana/departure', async ({ request }) => {
      const body = (await request.json()) as Schemas['GuestDeparture'];
      bodies.push(body);
      return HttpResponse.json({ ...of, ...body, version: (body.version ?? 0) + 1 });
    }),
  );
  await renderView(<Page />);
  return { bodies, live };
}

const day = () => page.getByLabelText('Day (optional)');
const input = () => day().element() as HTMLInputElement;
const save = () => page.getByRole('button', { name: 'Save' });
const INCOMPLETE = 'Enter a complete, valid date.';

/** Types from the first part of the date on. */
async function type(keys: string) {
  input().focus();
  await userEvent.keyboard(keys);
}

it('a date of which a part was deleted is not sent as none, and is completed', async () => {
  const { bodies } = await show(leaving);
  await type('{Backspace}{Enter}');
  await expect.element(day()).toHaveAccessibleDescription(INCOMPLETE);
  await expect.element(day()).toHaveFocus();
  await expectNoViolations();
  expect(input().validity.badInput).toBe(true);
  await type('11');
  await expect.element(day()).toHaveValue('2062-11-07');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => bodies).toEqual([{ expectedDeparture: '2062-11-07', version: 1 }]);
});

it('a date of which only a part is typed is not sent, by the key Enter or by the button', async () => {
  const { bodies } = await show(ana);
  await type('1224');
  await expect.element(save()).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(day()).toHaveAccessibleDescription(INCOMPLETE);
  await save().click();
  await expect.element(day()).toHaveFocus();
  await type('12242062');
  await expect.element(day()).not.toHaveAccessibleDescription();
  expect(bodies).toEqual([]);
  await save().click();
  await expect.poll(() => bodies).toEqual([{ expectedDeparture: '2062-12-24', version: 1 }]);
});

it('a year of more than four digits is told, and the date is not sent', async () => {
  const { bodies } = await show(ana);
  await type('1224122062{Enter}');
  await expect.element(day()).toHaveValue('122062-12-24');
  await expect.element(day()).toHaveAccessibleDescription('Enter a year from 2000 to 2999.');
  await expect.element(day()).toHaveFocus();
  expect(bodies).toEqual([]);
  // Again from the first part on.
  input().blur();
  await type('12242062{Enter}');
  await expect.poll(() => bodies).toEqual([{ expectedDeparture: '2062-12-24', version: 1 }]);
});

it('a date that is deleted wholly is removed', async () => {
  const { bodies } = await show(leaving);
  await type('{Backspace}{ArrowRight}{Backspace}{ArrowRight}{Backspace}{Enter}');
  await expect.poll(() => bodies).toEqual([{ expectedDeparture: null, version: 1 }]);
  await expect.element(page.getByText(/The expected departure of .* was removed\./)).toBeVisible();
});

it('a part of a date stays while somebody else changes the guest', async () => {
  const { bodies, live } = await show(ana);
  await type('1224');
  live.change({ ...ana, assignedBedId: 'b2', version: 2 });
  await expect.element(save()).toBeVisible();
  expect(input().validity.badInput).toBe(true);
  await userEvent.keyboard('2062{Enter}');
  await expect.poll(() => bodies).toEqual([{ expectedDeparture: '2062-12-24', version: 2 }]);
});

it('a part of a date and a date that somebody else saves are a choice', async () => {
  const { bodies, live } = await show(ana);
  await type('1224');
  live.change({ ...leaving, version: 2 });
  const notice = page.getByRole('alert');
  await expect.element(notice).toHaveTextContent('Saved now: Dec 7, 2062Yours: (incomplete date)');
  await notice.getByRole('button', { name: 'Save mine instead' }).click();
  await expect.element(day()).toHaveAccessibleDescription(INCOMPLETE);
  expect(input().validity.badInput).toBe(true);
  expect(bodies).toEqual([]);
});

it('a part of a date goes with the choice of the saved version', async () => {
  const { live } = await show(leaving);
  await type('{Backspace}');
  live.change({ ...ana, version: 2 });
  await page.getByRole('button', { name: 'Use the saved version' }).click();
  await expect.element(day()).toBeValid();
  expect(input().validity.badInput).toBe(false);
  await expect.element(save()).not.toBeInTheDocument();
});

it.each([1280, 390, 320])('the button stays beside the field while an error stands below it, %s px', async (width) => {
  await page.viewport(width, 844);
  await show(ana);
  await type('1224');
  await expect.element(save()).toBeVisible();
  expectBeside(save().element(), input());
  const before = input().getBoundingClientRect().width;
  await userEvent.keyboard('{Enter}');
  await expect.element(day()).toHaveAccessibleDescription(INCOMPLETE);
  expectBeside(save().element(), input());
  expect(input().getBoundingClientRect().width).toBe(before);
});
