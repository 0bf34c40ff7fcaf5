import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { serve } from '@/testing/server';
import {
  S1,
  intake,
  open,
  holdToday,
  serveUpdates,
  setUpToday,
  shift,
  siteOf,
  harbor,
  staff,
  stay,
  tearDownToday,
} from '@/testing/today-world';

beforeEach(setUpToday);
afterEach(tearDownToday);

const zoe = { ...stay('zoe', 'Zoe', 0), guest: { ...stay('zoe', 'Zoe', 0).guest, assignedBedId: 'a' } };
const yan = stay('yan', 'Yan', 1);
const list = () => page.getByRole('list', { name: 'Soon' });

it('a guest whose stay ends is discharged from Today in two clicks, and the focus is on the next one', async () => {
  const { screen, world } = await open(shift({ waiting: [], soon: [zoe, yan], soonTotal: 2 }));
  serve(http.get('/api/Sites/:id/reasons', () => HttpResponse.json([])));
  const sent = serveUpdates(world, () => shift({ waiting: [], soon: [yan], soonTotal: 1 }));
  await screen.getByRole('button', { name: 'Discharge Zoe B. ZOE' }).click();
  await page.getByRole('dialog', { name: 'Discharge Zoe B.?' }).getByRole('button', { name: 'Discharge' }).click();
  await expect.poll(() => list().getByRole('listitem').elements().length).toBe(1);
  expect(sent).toMatchObject([{ id: 'zoe', status: 'DISCHARGED', version: 1 }]);
  await expect.element(screen.getByRole('button', { name: 'Discharge Yan B. YAN' })).toHaveFocus();
  await expectNoViolations();
});

it('a guest who was discharged is gone before the list has loaded again, and a second Enter asks nothing, for the next guest neither', async () => {
  const { screen, world } = await open(shift({ waiting: [], soon: [zoe, yan], soonTotal: 2 }));
  const sent = serveUpdates(world, (today) => today);
  serve(http.get('/api/Sites/:id/reasons', () => HttpResponse.json([])));
  const load = holdToday(shift({ waiting: [], soon: [yan], soonTotal: 1 }));
  const discharge = screen.getByRole('button', { name: 'Discharge Zoe B. ZOE' });
  await expect.element(discharge).toBeVisible();
  (discharge.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const question = page.getByRole('dialog', { name: 'Discharge Zoe B.?' });
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  const next = screen.getByRole('button', { name: 'Discharge Yan B. YAN' }).element() as HTMLElement;
  // The second Enter, as soon as the focus is there, however slow this machine is.
  const isPressed = new Promise<void>((done) => {
    next.addEventListener('focus', () => setTimeout(() => done(next.click())), { once: true });
  });
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await isPressed;
  expect(list().getByRole('listitem').elements()).toHaveLength(1);
  load();
  await delay(100);
  // The question fades out; no other one takes its place.
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Discharge Yan B. YAN' })).toHaveFocus();
  expect(sent).toHaveLength(1);
});

it('a discharge without a network keeps the focus in its question, then on the row of the guest', async () => {
  const { screen } = await open(shift({ waiting: [], soon: [zoe, yan], soonTotal: 2 }));
  serve(
    http.get('/api/Sites/:id/reasons', () => HttpResponse.json([])),
    http.patch('/api/Guests/zoe', () => HttpResponse.error()),
  );
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await screen.getByRole('button', { name: 'Discharge Zoe B. ZOE' }).click();
  const question = page.getByRole('dialog', { name: 'Discharge Zoe B.?' });
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await expect.element(question.getByText('Not sent yet')).toBeVisible();
  await expect.element(question.getByRole('button', { name: 'Close', exact: true }).last()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(question).not.toBeInTheDocument();
  // Its button is off.
  await expect.element(list().getByRole('listitem').first()).toHaveFocus();
  onLine.mockRestore();
});

it('when the last stay that ends is over, the focus is on the heading', async () => {
  const { screen, world } = await open(shift({ waiting: [], soon: [zoe], soonTotal: 1 }));
  serve(http.get('/api/Sites/:id/reasons', () => HttpResponse.json([])));
  serveUpdates(world, () => shift({ waiting: [] }));
  await screen.getByRole('button', { name: 'Discharge Zoe B. ZOE' }).click();
  await page.getByRole('dialog', { name: 'Discharge Zoe B.?' }).getByRole('button', { name: 'Discharge' }).click();
  await expect.element(screen.getByText('No stay ends soon.')).toBeVisible();
  await expect.element(screen.getByRole('heading', { name: 'Soon' })).toHaveFocus();
});

it('the board of a site opens from Today, ready to move guests', async () => {
  const { screen } = await open();
  await screen.getByRole('link', { name: 'Move guests at Harbor House' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe(`/reservations/${S1}`);
  expect(screen.router.state.location.search).toEqual({ open: 'board' });
});

it('nobody can be moved at a site without guests', async () => {
  const site = siteOf(harbor, 9, 4);
  const { screen } = await open(shift({ sites: [{ ...site, counts: { ...site.counts, occupied: 0 } }] }), intake);
  await expect.element(screen.getByRole('list', { name: 'Free now' })).toBeVisible();
  expect(screen.getByRole('link', { name: /^Move guests/ }).elements()).toHaveLength(0);
});

it('staff see who leaves and what is free, without the actions', async () => {
  const { screen } = await open(shift({ soon: [zoe], soonTotal: 1 }), staff);
  await expect.element(list()).toHaveTextContent('Zoe B.');
  expect(screen.getByRole('button', { name: /^Discharge/ }).elements()).toHaveLength(0);
  expect(screen.getByRole('link', { name: /^Move guests/ }).elements()).toHaveLength(0);
});
