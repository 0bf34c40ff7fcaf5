import { http, HttpResponse } from 'msw';
import { useEffect, useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { expectNoViolations } from '@/testing/axe';
import { bed, guest, room, service, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { fillInGuest } from '@/testing/fill-in-guest';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { waitingPerson } from '@/testing/waitlist-builders';
import { GuestOrWaitingDialog } from './guest-or-waiting-dialog';

beforeEach(() => page.viewport(390, 844));

const intake = currentUser({ role_intake_site_ids: 's1' });
const site = siteDetails([room('1', [bed('a')])], { isCommercial: false });
const services: Schemas['ServiceGroups'] = {
  age: [service('age-18-26', '18 to 26', 'Age')],
  gender: [],
  client: [],
  general: [service('detox', 'Medical detox', 'General')],
  disability: [],
};

function Opening() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      {/* Below the message that tells of the sent form. */}
      <button type="button" style={{ marginTop: 300 }} onClick={() => setOpen(true)}>
        Open
      </button>
      <GuestOrWaitingDialog
        subject={isOpen}
        site={site}
        startsAs="guest"
        onClose={() => setOpen(false)}
        onAdded={() => undefined}
      />
    </>
  );
}

const BEDS_TAKEN = 'beds-taken';

/** A site whose counts follow what others do. */
function FillingUp() {
  const [counts, setCounts] = useState(site.counts);
  useEffect(() => {
    const takeAll = () => setCounts({ ...site.counts, available: 0, vacant: 0 });
    window.addEventListener(BEDS_TAKEN, takeAll);
    return () => window.removeEventListener(BEDS_TAKEN, takeAll);
  }, []);
  return (
    <>
      <p data-testid="vacant">{counts.vacant}</p>
      <GuestOrWaitingDialog
        subject
        site={{ ...site, counts }}
        startsAs="guest"
        onClose={() => undefined}
        onAdded={() => undefined}
      />
    </>
  );
}

it('a new guest for whom no bed is left is put on the waitlist with all that was typed, and back if one is free again', async () => {
  const asked: string[] = [];
  let isFree = false;
  serve(
    answerGet('/api/SiteServices/nonCommercial', services),
    http.post('/api/Guests', () => {
      asked.push('guest');
      if (isFree) return HttpResponse.json(guest('g7', { firstName: 'Wanda', lastName: 'B' }), { status: 201 });
      return problem(409, 'You cannot add a new guest because there are no vacant beds.', { code: 'no-vacant-beds' });
    }),
    http.post('/api/Sites/s1/waitlist', async ({ request }) => {
      const body = (await request.json()) as Schemas['NewWaitingGuest'];
      asked.push(`waits: ${body.guest.firstName} ${body.guest.email}, ${String(body.bedType)}`);
      return isFree
        ? problem(409, 'A bed is available now. Add the guest instead.', { code: 'bed-available' })
        : HttpResponse.json(waitingPerson('Wanda'), { status: 201 });
    }),
  );
  const screen = await renderView(<Opening />, { user: intake });
  const asGuest = page.getByRole('dialog', { name: 'New Guest' });
  const asWaiting = page.getByRole('dialog', { name: 'Add to waitlist' });
  await fillInGuest(asGuest, { firstName: 'Wanda', initial: 'B', email: 'wanda@mail.example' });
  await asGuest.getByRole('button', { name: 'Add guest', exact: true }).click();
  await expect.element(asGuest.getByRole('alert')).toHaveTextContent('there are no vacant beds');
  await expectNoViolations();
  (asGuest.getByRole('button', { name: 'Add to waitlist' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.element(asWaiting.getByLabelText('First name')).toHaveValue('Wanda');
  await expect.element(asWaiting.getByRole('alert')).not.toBeInTheDocument();
  const send = asWaiting.getByRole('button', { name: 'Add to waitlist' });
  // A second Enter does not send what nobody has looked at.
  await expect.element(asWaiting.getByLabelText('Type of bed')).toHaveFocus();
  await asWaiting.getByLabelText('Type of bed').selectOptions('Detox');
  isFree = true;
  await send.click();
  const turn = asWaiting.getByRole('button', { name: 'New Guest' });
  await expect.element(turn).toBeVisible();
  // What the server said was about a bed for detox.
  await asWaiting.getByLabelText('Type of bed').selectOptions('Treatment');
  await expect.element(turn).not.toBeInTheDocument();
  await asWaiting.getByLabelText('Type of bed').selectOptions('Detox');
  await turn.click();
  await expect.element(asGuest.getByLabelText('First name')).toHaveValue('Wanda');
  isFree = false;
  await asGuest.getByRole('button', { name: 'Add guest', exact: true }).click();
  await asGuest.getByRole('button', { name: 'Add to waitlist' }).click();
  await expect.element(asWaiting.getByLabelText('Type of bed')).toHaveValue('Detox');
  await send.click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  const waits = 'waits: Wanda wanda@mail.example, Detox';
  expect(asked).toEqual(['guest', waits, 'guest', waits]);
  // The next guest begins as one again.
  await screen.getByRole('button', { name: 'Open' }).click();
  await expect.element(asGuest).toBeVisible();
});

it('says once that no bed is left, with one way to the waitlist, when the counts follow the refusal', async () => {
  serve(
    answerGet('/api/SiteServices/nonCommercial', services),
    http.post('/api/Guests', () => problem(409, 'There are no vacant beds.', { code: 'no-vacant-beds' })),
  );
  await renderView(<FillingUp />, { user: intake });
  const form = page.getByRole('dialog', { name: 'New Guest' });
  await fillInGuest(form, { firstName: 'Wanda', initial: 'B', email: 'wanda@mail.example' });
  await form.getByRole('button', { name: 'Add guest', exact: true }).click();
  await expect.element(form.getByRole('alert')).toHaveTextContent('There are no vacant beds.');
  window.dispatchEvent(new Event(BEDS_TAKEN));
  await expect.element(page.getByTestId('vacant')).toHaveTextContent('0');
  expect(form.getByRole('button', { name: 'Add to waitlist' }).elements()).toHaveLength(1);
  expect(form.getByText('no vacant beds').elements()).toHaveLength(1);
});
