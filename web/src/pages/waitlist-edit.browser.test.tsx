import { cleanNotifications } from '@mantine/notifications';
import { useLocation } from '@tanstack/react-router';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { tellUserForgotten } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { bed, room, service, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { bedOffer, waitingPerson } from '@/testing/waitlist-builders';
// Loaded with the file, not while a test runs.
import './edit-waiting-dialog';
import { WaitlistPage } from './waitlist-page';

beforeEach(() => page.viewport(1360, 900));
afterEach(() => {
  cleanNotifications();
  // Ends what a failed test has left open.
  tellUserForgotten();
});

const intake = currentUser({ role_intake_site_ids: 's1' });
const admin = currentUser({ role_admin_site_ids: 's1' });
const staff = currentUser({ role_staff_site_ids: 's1' });
const site = siteDetails([room('1', [bed('a'), bed('b')])], { isCommercial: false });
const mara = waitingPerson('Mara', { offer: bedOffer() });
const nora = waitingPerson('Nora');

const services: Schemas['ServiceGroups'] = {
  age: [service('age-18-26', '18 to 26', 'Age')],
  gender: [],
  client: [],
  general: [service('detox', 'Medical detox', 'General'), service('mental-health', 'Mental health', 'General')],
  disability: [],
};

const guest: Schemas['NewGuest'] = {
  siteId: 's1',
  gender: 2,
  ageServiceId: 'age-18-26',
  firstName: 'Mara',
  lastName: 'B',
  phone: '+17145550123',
  email: 'mara@guests.example',
  location: 'Orange, CA',
  serviceIds: ['detox'],
  language: 'es',
};

const form: Schemas['WaitingGuestForm'] = { guest, bedType: 'Detox', version: 3 };

/** A site that takes insurance. */
const insured = siteDetails([room('1', [bed('a'), bed('b')])], {
  organizationReservationPaymentMethods: [
    { id: 1, name: 'Private pay', category: 'PrivatePay' },
    { id: 2, name: 'Insurance', category: 'Insurance' },
  ],
  insuranceCompanies: [{ id: 'i1', name: 'Meridian Mutual', logoPath: null, isPrimary: true }],
});

const cards = { insuranceCardFront: 'uploads/card_front.jpg', insuranceCardBack: 'uploads/card_back.jpg' };

/** The form of a person with an insurance card. */
const insuredForm: Schemas['WaitingGuestForm'] = {
  ...form,
  guest: { ...guest, ...cards, typeOfClientServiceId: 'adults', paymentMethod: 2, insuranceCompanyId: 'i1' },
};

interface Sent {
  key: string | null;
  body: Schemas['WaitingGuestEdit'];
}

type Act = () => Response | Promise<Response>;
const lost: Act = () => HttpResponse.error();
const saved: Act = () => new HttpResponse(null, { status: 204 });

function Page() {
  const { edit } = useLocation().search as { edit?: string };
  return (
    <Suspense>
      <WaitlistPage siteId="s1" isAdding={false} edited={edit} />
    </Suspense>
  );
}

const dialog = page.getByRole('dialog');
const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
const save = () => dialog.getByRole('button', { name: 'Save' }).click();

interface Opening {
  acts?: Act[];
  user?: typeof intake;
  /** The site takes insurance, and the person has an insurance card. */
  isInsured?: boolean;
}

/** Opens the list; the server acts on one save after the other, on the last one's way from then on. */
async function open({ acts = [saved], user = intake, isInsured = false }: Opening = {}) {
  const sent: Sent[] = [];
  const first = isInsured ? insuredForm : form;
  const now = { items: [mara, nora], form: first, looks: 0 };
  serve(
    answerGet('/api/Sites/s1', isInsured ? insured : site),
    answerGet('/api/SiteServices/commercial', { ...services, client: [service('adults', 'Adults', 'Client')] }),
    http.get('/api/Sites/s1/waitlist', () => HttpResponse.json({ items: now.items, offerMinutes: 30 })),
    answerGet('/api/SiteServices/nonCommercial', services),
    http.post('/api/Guests/earlier', () => HttpResponse.json({ items: [], total: 0 })),
    http.get('/api/Waitlist/Mara', () => {
      now.looks += 1;
      return HttpResponse.json(now.form);
    }),
    http.put('/api/Waitlist/Mara', async ({ request }) => {
      sent.push({ key: request.headers.get('Idempotency-Key'), body: (await request.json()) as Sent['body'] });
      return acts[Math.min(sent.length, acts.length) - 1]?.();
    }),
  );
  const screen = await renderView(<Page />, { user });
  await expect.element(screen.getByText('Mara B.')).toBeVisible();
  const edit = screen.getByRole('button', { name: 'Edit: Mara B.' });
  /** Somebody else has saved these fields. */
  const become = (fields: Partial<Schemas['NewGuest']>) => {
    now.form = { ...first, guest: { ...first.guest, ...fields }, version: 4 };
    now.items = [{ ...mara, version: 4 }, nora];
  };
  return { screen, sent, edit, become, now };
}

async function openForm(options?: Parameters<typeof open>[0]) {
  const opened = await open(options);
  await opened.edit.click();
  await expect.element(field('First name')).toHaveValue('Mara');
  return opened;
}

describe('the form of a person on the waitlist', () => {
  it('opens filled in with what was sent, by keyboard too, and saves what was corrected', async () => {
    const { edit, sent, screen } = await open();
    (edit.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(field('First name')).toHaveFocus();
    await expect.element(field('First name')).toHaveValue('Mara');
    await expect.element(field('Phone')).toHaveValue('+1 (714) 555-0123');
    await expect.element(dialog.getByRole('radio', { name: 'Female', exact: true })).toBeChecked();
    await expect.element(dialog.getByRole('checkbox', { name: 'Medical detox' })).toBeChecked();
    await expect.element(dialog.getByLabelText('Language of text messages')).toHaveValue('es');
    await expect.element(dialog.getByLabelText(/Priority/)).not.toBeInTheDocument();
    await field('Phone').fill('714 555 0199');
    await dialog.getByRole('checkbox', { name: 'Mental health' }).click();
    await save();
    await expect.element(page.getByText('Mara B. was saved. The place on the waitlist is the same.')).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(screen.router.state.location.search).toEqual({});
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({ bedType: 'Detox', version: 3 });
    expect(sent[0]?.body.guest).toMatchObject({
      ...guest,
      phone: '+17145550199',
      serviceIds: ['detox', 'mental-health'],
    });
  });

  it('shows the stored insurance card and sends it again unchanged', async () => {
    const { sent } = await openForm({ isInsured: true });
    for (const side of ['front', 'back']) {
      await expect.element(dialog.getByRole('img', { name: `Current image: Insurance card, ${side}` })).toBeVisible();
    }
    await field('Phone').fill('714 555 0199');
    await save();
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent[0]?.body.guest).toMatchObject({ ...cards, phone: '+17145550199', insuranceCompanyId: 'i1' });
  });

  it('takes a side of the insurance card away, and the other stays', async () => {
    const { sent } = await openForm({ isInsured: true });
    await dialog.getByRole('button', { name: 'Remove: Insurance card, back' }).click();
    await save();
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent[0]?.body.guest).toMatchObject({ insuranceCardFront: cards.insuranceCardFront });
    expect(sent[0]?.body.guest).not.toHaveProperty('insuranceCardBack');
  });

  it('shows the insurance card that somebody else has changed, whole and without its path', async () => {
    const stale: Act = () => {
      opened.become({ insuranceCardFront: 'uploads/card_other.jpg' });
      return problem(412, 'Someone else changed this.');
    };
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="5"/>';
    serve(
      http.get('/files/uploads/*', () => new HttpResponse(drawing, { headers: { 'content-type': 'image/svg+xml' } })),
    );
    const opened = await openForm({ acts: [stale], isInsured: true });
    await dialog.getByRole('button', { name: 'Remove: Insurance card, front' }).click();
    await save();
    const notice = dialog.getByRole('alert').filter({ hasText: 'Insurance card, front' });
    await expect.element(notice).toHaveTextContent(/Saved now:.*Yours: \(empty\)/s);
    await expect.element(notice.getByRole('img')).toBeInTheDocument();
    const theirs = notice.getByRole('img', { name: 'Insurance card, front, saved now' }).element();
    expect(theirs.getAttribute('src')).toContain('uploads/card_other.jpg');
    expect(getComputedStyle(theirs).objectFit).toBe('contain');
    await expect.element(notice).not.toHaveTextContent('uploads');
  });

  it('closes without a save and without a message if nothing was changed', async () => {
    const { screen, sent } = await openForm();
    await field('Phone').fill('714 555 0199');
    await field('Phone').fill('+1 (714) 555-0123');
    await save();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(screen.router.state.location.search).toEqual({});
    expect(page.getByText(/was saved/).query()).toBeNull();
    expect(sent).toEqual([]);
  });

  it('changes the type of bed, and asks before that is lost', async () => {
    const { sent } = await openForm();
    await dialog.getByLabelText('Type of bed').selectOptions('Treatment');
    await userEvent.keyboard('{Escape}');
    await page
      .getByRole('dialog', { name: /unsaved|Discard/i })
      .getByRole('button', { name: /Keep|Stay/ })
      .click();
    await save();
    await expect.poll(() => sent.map(({ body }) => body.bedType)).toEqual(['Treatment']);
  });

  it('puts what the server refuses at its field', async () => {
    const errors = [{ pointer: '/guest/email', message: 'Email must be a valid email' }];
    const refused: Act = () => problem(422, 'Some fields are wrong.', { errors });
    await openForm({ acts: [refused] });
    await field('Email').fill('mara@other.example');
    await save();
    await expect.element(dialog.getByText('Email must be a valid email')).toBeVisible();
    await expect.element(field('Email')).toHaveFocus();
    await expect.element(field('Email')).toHaveValue('mara@other.example');
  });

  it('says that the person is on the list already, and keeps what was typed', async () => {
    const other: Act = () => problem(409, 'This person is already on the waitlist.', { code: 'already-waiting' });
    await openForm({ acts: [other] });
    await field('First name').fill('Nora');
    await save();
    await expect.element(dialog.getByText('This person is already on the waitlist.')).toBeVisible();
    await expect.element(field('First name')).toHaveValue('Nora');
  });

  it('shows what somebody else has changed, keeps what was typed, and saves it over the newer version', async () => {
    const stale: Act = () => {
      opened.become({ email: 'new@guests.example', phone: '+17145550177' });
      return problem(412, 'Someone else changed this.');
    };
    const opened = await openForm({ acts: [stale, saved] });
    await field('Phone').fill('714 555 0199');
    await save();
    const notice = dialog.getByRole('alert').filter({ hasText: 'new@guests.example' });
    await expect.element(notice).toHaveTextContent(/\+1 \(714\) 555-0177.*\+1 \(714\) 555-0199/s);
    await expect.element(field('Phone')).toHaveValue('+1 (714) 555-0199');
    await expectNoViolations();
    await notice.getByRole('button', { name: 'Save mine instead' }).click();
    await expect.poll(() => opened.sent).toHaveLength(2);
    const { guest: last, version } = opened.sent[1]?.body ?? { guest: null, version: 0 };
    expect(version).toBe(4);
    expect(last).toMatchObject({ phone: '+17145550199', email: 'new@guests.example' });
  });

  it('loads no form again while the person is the same: each look is on record', async () => {
    const { screen, now } = await openForm();
    expect(now.looks).toBe(1);
    await screen.queryClient.invalidateQueries({ queryKey: ['sites', 's1'] });
    expect(now.looks).toBe(1);
  });

  it('asks again under the same key when the answer is lost, and says that nothing is known yet', async () => {
    let isBack = false;
    const { sent, edit } = await openForm({ acts: [() => (isBack ? saved() : lost())] });
    await field('First name').fill('Maria');
    await save();
    await expect.element(dialog.getByText('Not confirmed yet')).toBeVisible();
    await expect.element(edit).toHaveAttribute('aria-disabled', 'true');
    isBack = true;
    window.dispatchEvent(new Event('online'));
    await expect.element(page.getByText('Maria B. was saved. The place on the waitlist is the same.')).toBeVisible();
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent[0]?.key).toBeTruthy();
  });

  it('asks about a third reservation those who may allow it', async () => {
    const third: Act = () => problem(409, 'This person has two active reservations.', { code: 'third-reservation' });
    const { sent } = await openForm({ acts: [third, saved], user: admin });
    await field('Phone').fill('714 555 0199');
    await save();
    await page.getByRole('button', { name: 'Add anyway' }).click();
    await expect.poll(() => sent.map(({ body }) => body.guest.allowThird)).toEqual([undefined, true]);
  });

  it('keeps what was typed when somebody else has taken the person off the list, and says so', async () => {
    const notWaiting = () => problem(409, 'This person is no longer on the waitlist.', { code: 'not-waiting' });
    const { screen, now } = await openForm({ acts: [notWaiting] });
    await field('First name').fill('Mary');
    now.items = [nora];
    await screen.queryClient.invalidateQueries();
    await expect.element(screen.getByText('Nora B.')).toBeInTheDocument();
    await expect.poll(() => screen.getByText('Mara B.').elements().length).toBe(0);
    await expect.element(field('First name')).toHaveValue('Mary');
    await save();
    await expect.element(dialog.getByText('This person is no longer on the waitlist.')).toBeVisible();
    await expect.element(field('First name')).toHaveValue('Mary');
  });

  it('does not say that nothing was saved while the server has not answered', async () => {
    let answer: () => void = () => undefined;
    const frozen = new Promise<Response>((resolve) => {
      answer = () => resolve(new HttpResponse(null, { status: 204 }));
    });
    const { sent } = await openForm({ acts: [() => frozen] });
    await field('First name').fill('Mary');
    await save();
    await expect.poll(() => sent.length).toBe(1);
    await userEvent.keyboard('{Escape}');
    const question = page.getByRole('dialog', { name: 'Leave this form?' });
    await expect.element(question.getByText(/has not confirmed yet that the entry was saved/)).toBeVisible();
    expect(page.getByText('Your changes have not been saved.').elements()).toHaveLength(0);
    await question.getByRole('button', { name: 'Stay' }).click();
    answer();
    await expect.element(page.getByText(/^Mary B\. /)).toBeVisible();
  });

  it('takes the question whether to leave away when the answer comes: a refusal is seen, and nothing is lost', async () => {
    let answer: () => void = () => undefined;
    const frozen = new Promise<Response>((resolve) => {
      answer = () => resolve(problem(409, 'This person is no longer on the waitlist.'));
    });
    const { sent } = await openForm({ acts: [() => frozen] });
    await field('First name').fill('Mary');
    await save();
    await expect.poll(() => sent.length).toBe(1);
    await userEvent.keyboard('{Escape}');
    const question = page.getByRole('dialog', { name: 'Leave this form?' });
    await expect.element(question).toBeVisible();
    // While it fades, it keeps its own words.
    const shown: string[] = [];
    const observer = new MutationObserver(() => shown.push(document.body.textContent));
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    answer();
    await expect.element(question).not.toBeInTheDocument();
    observer.disconnect();
    expect(shown.filter((text) => text.includes('Discard'))).toEqual([]);
    await expect.element(dialog.getByText('This person is no longer on the waitlist.')).toBeVisible();
    await expect.element(field('First name')).toHaveValue('Mary');
  });

  it('opens again with the focus in the first field, and nothing is red', async () => {
    const { edit } = await openForm();
    await expect.element(field('First name')).toHaveFocus();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(edit).toHaveFocus();
    await edit.click();
    await expect.element(field('First name')).toHaveFocus();
    expect(dialog.element().querySelectorAll('[aria-invalid=true]')).toHaveLength(0);
  });

  it('says that the person no longer waits', async () => {
    const { edit } = await open();
    serve(http.get('/api/Waitlist/Mara', () => problem(409, 'This person is no longer on the waitlist.')));
    await edit.click();
    await expect.element(dialog.getByText('This person is not on the waitlist')).toBeVisible();
  });

  it('says of an unknown person that they are not on the waitlist, and can be closed', async () => {
    const { screen } = await open();
    serve(http.get('/api/Waitlist/nobody', () => problem(404, 'This does not exist, or you cannot see it.')));
    await screen.router.navigate({ to: '/waitlist/$siteId', params: { siteId: 's1' }, search: { edit: 'nobody' } });
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('This person is not on the waitlist');
    expect(dialog.getByRole('button', { name: 'Try again' }).query()).toBeNull();
    await expectNoViolations();
    await dialog.getByText('Close', { exact: true }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(screen.router.state.location.search).toEqual({});
  });

  it('is offered to nobody who may not add guests', async () => {
    const { edit } = await open({ user: staff });
    await expect.element(edit).not.toBeInTheDocument();
  });

  for (const width of [1360, 390]) {
    it(`has no accessibility violations at ${width} px`, async () => {
      await page.viewport(width, 900);
      await openForm();
      await expectNoViolations();
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    });
  }
});
