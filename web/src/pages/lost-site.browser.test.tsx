import { cleanNotifications } from '@mantine/notifications';
import { useSuspenseQuery } from '@tanstack/react-query';
import { CatchBoundary } from '@tanstack/react-router';
import { delay, http, HttpResponse } from 'msw';
import { type ReactNode, Suspense, useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { ErrorScreen } from '@/app/error-screens';
import { DecisionDialog } from '@/features/guests/components/decision-dialog';
import { DepartureForm } from '@/features/guests/components/departure-form';
import { NewGuestDialog } from '@/features/reservations/components/new-guest-dialog';
import { siteQuery } from '@/features/sites/api/site-query';
import { forgetLostSites } from '@/live/forget-lost-sites';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';

afterEach(() => {
  cleanNotifications();
  tellUserForgotten();
});

const ana = guest('ana', { status: 'accepted', assignedBedId: 'a' });
const site = siteDetails([room('1', [bed('a'), bed('b')])], { isCommercial: false });
const NOT_SAVED = 'What you entered was not saved. The site was deleted, or you have no access to it any more.';
const deleted = () => problem(404, 'Not found.');

type Form = (props: { site: Schemas['SiteDetails'] }) => ReactNode;

function NewGuest({ site: of }: Parameters<Form>[0]) {
  const [isOpen, setOpen] = useState(true);
  return <NewGuestDialog subject={isOpen} site={of} onClose={() => setOpen(false)} onAdded={() => undefined} />;
}

function Discharge() {
  const [asked, setAsked] = useState<Schemas['Guest'] | null>(ana);
  return <DecisionDialog subject={asked} kind="discharge" onClose={() => setAsked(null)} />;
}

const Departure: Form = ({ site: of }) => <DepartureForm guest={ana} site={of} />;

function Site({ Form }: { Form: Form }) {
  const { data } = useSuspenseQuery(siteQuery('s1'));
  return <Form site={data} />;
}

/** A form over a site that is loaded again, as after a live event, and answered by `answer` then. */
async function openForm(Form: Form, label: RegExp | string, answer: () => Response = deleted) {
  let isOpened = false;
  serve(
    answerGet('/api/SiteServices/nonCommercial', { age: [], gender: [], client: [], general: [], disability: [] }),
    http.get('/api/Sites/s1/reasons', () => HttpResponse.json([])),
    http.get('/api/Sites/s1', () => (isOpened ? answer() : HttpResponse.json(site))),
    http.put('/api/Guests/ana/departure', () => delay('infinite')),
  );
  const screen = await renderView(
    <CatchBoundary getResetKey={() => 's1'} errorComponent={ErrorScreen}>
      <Suspense fallback="…">
        <Site Form={Form} />
      </Suspense>
    </CatchBoundary>,
    { user: currentUser({ role_intake_site_ids: 's1' }) },
  );
  const field = screen.getByLabelText(label);
  await expect.element(field).toBeVisible();
  isOpened = true;
  const { queryClient } = screen;
  const stop = forgetLostSites(queryClient);
  /** Loads the site again, which takes the page away. */
  const lose = async () => {
    await queryClient.invalidateQueries({ queryKey: ['sites', 's1'] }).finally(stop);
    await expect.element(page.getByRole('heading', { name: 'Failed to load' })).toBeVisible();
    await expect.element(field).not.toBeInTheDocument();
  };
  return { screen, field, lose };
}

const FORMS = [
  ['a new guest', NewGuest, 'First name', 'Anna'],
  ['a discharge with feedback', Discharge, /Feedback/, 'Went home'],
  ['a half-typed day', Departure, /Day/, '12'],
] as const satisfies (readonly [string, Form, RegExp | string, string])[];

describe('a form that goes with its site', () => {
  it.each(FORMS)('says that what was entered was not saved: %s', async (_what, Form, label, typed) => {
    const { field, lose } = await openForm(Form, label);
    (field.element() as HTMLElement).focus();
    await userEvent.keyboard(typed);
    await lose();
    await expect.element(page.getByText(NOT_SAVED)).toBeVisible();
    await expectNoViolations();
  });

  it('says so too if the access to the site has ended', async () => {
    const { field, lose } = await openForm(NewGuest, 'First name', () => problem(403, 'Forbidden.'));
    (field.element() as HTMLElement).focus();
    await userEvent.keyboard('Anna');
    await lose();
    await expect.element(page.getByText(NOT_SAVED)).toBeVisible();
  });

  it.each(FORMS)('says nothing if nothing was typed: %s', async (_what, Form, label) => {
    const { lose } = await openForm(Form, label);
    await lose();
    expect(page.getByText(NOT_SAVED).elements()).toEqual([]);
  });

  it.each(FORMS.slice(0, 2))('says nothing if it was thrown away: %s', async (_what, Form, label, typed) => {
    const { screen, field, lose } = await openForm(Form, label);
    (field.element() as HTMLElement).focus();
    await userEvent.keyboard(typed);
    await screen.getByRole('button', { name: 'Cancel' }).click();
    await screen.getByRole('button', { name: 'Discard' }).click();
    await expect.element(field).not.toBeInTheDocument();
    await lose();
    expect(page.getByText(NOT_SAVED).elements()).toEqual([]);
  });

  it('does not say that what is on its way was not saved', async () => {
    const { screen, field, lose } = await openForm(Departure, /Day/);
    (field.element() as HTMLElement).focus();
    await userEvent.keyboard('12242062');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('data-loading');
    await lose();
    expect(page.getByText(NOT_SAVED).elements()).toEqual([]);
  });

  it.each([
    ['a departure', Departure, /Day/, '12242062', 'Save', '/api/Guests/ana/departure'],
    ['a discharge', Discharge, /Feedback/, 'Went home', 'Discharge', '/api/Guests/ana'],
  ] as const)('says so once what was on its way is refused: %s', async (_what, Form, label, typed, button, path) => {
    const { screen, field, lose } = await openForm(Form, label);
    let refuse: (answer: Response) => void = () => undefined;
    const answer = () => new Promise<Response>((resolve) => (refuse = resolve));
    serve(http.put(path, answer), http.patch(path, answer));
    (field.element() as HTMLElement).focus();
    await userEvent.keyboard(typed);
    await screen.getByRole('button', { name: button, exact: true }).click();
    await expect.element(screen.getByRole('button', { name: button, exact: true })).toHaveAttribute('data-loading');
    await lose();
    expect(page.getByText(NOT_SAVED).elements()).toEqual([]);
    refuse(deleted());
    await expect.element(page.getByText(NOT_SAVED)).toBeVisible();
  });
});
