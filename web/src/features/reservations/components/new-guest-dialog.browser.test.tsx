import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { apiErrorOf } from '@/api/errors';
import { Providers } from '@/app/providers';
import { expectNoViolations } from '@/testing/axe';
import { bed, earlierStay, guest, room, service, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { fillInGuest } from '@/testing/fill-in-guest';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { NewGuestDialog } from './new-guest-dialog';
import type { OtherUse } from './new-guest-form';

// Messages stay five seconds and would lie over the buttons of the next test.
afterEach(() => cleanNotifications());

const services: Schemas['ServiceGroups'] = {
  age: [service('age-under-18', 'Under 18', 'Age'), service('age-18-26', '18 to 26', 'Age')],
  gender: [],
  client: [service('adults', 'Adults', 'Client')],
  general: [service('detox', 'Medical detox', 'General'), service('prenatal', 'Prenatal', 'General')],
  disability: [service('hearing', 'Hearing impaired', 'Disability')],
};
const commercial = siteDetails([room('1', [bed('a')])], {
  organizationReservationPaymentMethods: [
    { id: 1, name: 'Private pay', category: 'PrivatePay' },
    { id: 2, name: 'Insurance', category: 'Insurance' },
  ],
  insuranceCompanies: [{ id: 'i1', name: 'Meridian Mutual', logoPath: null, isPrimary: true }],
});
const free = siteDetails([room('1', [bed('a')])], {
  isCommercial: false,
  nonCommercialPaymentMethods: [{ id: 'moc', name: 'Medi-Cal Orange County' }],
});
const intake = currentUser({ role_intake_site_ids: 's1' });
const admin = currentUser({ role_admin_site_ids: 's1' });

interface Sent {
  body: Schemas['NewGuest'];
  key: string | null;
}

/** Opens the form; `answers` are given one after the other, the last one again and again. */
async function openForm({
  site = free,
  user = intake,
  answers = [] as (() => Response | Promise<Response>)[],
  otherUse = undefined as OtherUse | undefined,
} = {}) {
  const sent: Sent[] = [];
  const added = HttpResponse.json(guest('new', { firstName: 'Anna', lastName: 'K', code: 'K7M2QX' }), { status: 201 });
  serve(
    answerGet('/api/SiteServices/commercial', services),
    answerGet('/api/SiteServices/nonCommercial', services),
    http.post('/api/Guests', async ({ request }) => {
      sent.push({ body: (await request.json()) as Schemas['NewGuest'], key: request.headers.get('Idempotency-Key') });
      return answers[Math.min(sent.length, answers.length) - 1]?.() ?? added.clone();
    }),
  );
  const onAdded = vi.fn();
  const onClose = vi.fn();
  const on = { onAdded, onClose };
  const screen = await renderView(<NewGuestDialog subject site={site} otherUse={otherUse} {...on} />, { user });
  await expect.element(screen.getByLabelText('First name')).toBeVisible();
  // The last field to come.
  await expect.element(screen.getByLabelText('City').first()).toBeVisible();
  const submit = () => screen.getByRole('button', { name: 'Add guest' }).click();
  const fill = () => fillInGuest(screen, { firstName: 'Anna', initial: 'K', email: 'anna@mail.example' });
  return { screen, sent, onAdded, onClose, submit, fill };
}

describe('a person who was here before', () => {
  const stay = earlierStay();
  const line = 'Was here before: 1 stay, last at Harbor House until Mar 31, 2019';

  function serveEarlier(answer: () => Response) {
    const asked: Schemas['EarlierQuestion'][] = [];
    serve(
      http.post('/api/Guests/earlier', async ({ request }) => {
        asked.push((await request.json()) as Schemas['EarlierQuestion']);
        return answer();
      }),
    );
    return asked;
  }

  it('is recognized once the phone is complete, with one question, of which nothing is kept', async () => {
    const { screen } = await openForm();
    const asked = serveEarlier(() => HttpResponse.json({ items: [stay] }));
    await userEvent.type(screen.getByLabelText('Phone'), '(714) 555-0134');
    await expect.element(screen.getByText(line)).toBeVisible();
    await expectNoViolations();
    expect(asked).toEqual([{ siteId: 's1', phone: '+17145550134', email: null }]);
    const kept = JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]);
    expect(kept).not.toContain('5550134');
    expect(kept).not.toContain('Anna K.');
    await screen.getByLabelText('Phone').fill('(714) 555-01');
    await expect.element(screen.getByText(line)).not.toBeInTheDocument();
    expect(asked).toHaveLength(1);
  });

  it('is recognized by a complete email as well', async () => {
    const { screen } = await openForm();
    const asked = serveEarlier(() => HttpResponse.json({ items: [stay] }));
    await screen.getByLabelText('Email').fill('anna@mail.example');
    await expect.element(screen.getByText(line)).toBeVisible();
    expect(asked).toEqual([{ siteId: 's1', phone: null, email: 'anna@mail.example' }]);
  });

  it('is no matter for the form when the question fails', async () => {
    const { screen, submit, fill, sent } = await openForm();
    const asked = serveEarlier(() => problem(503, 'The server is busy.'));
    await fill();
    // Whoever takes long between phone and email causes two questions; the last one has both.
    await expect.poll(() => asked.at(-1)).toMatchObject({ phone: '+17145550134', email: 'anna@mail.example' });
    expect(screen.getByText(/busy/).elements()).toEqual([]);
    await submit();
    await expect.poll(() => sent).toHaveLength(1);
  });
});

describe('the form for a new guest', () => {
  it('starts in the first field and names every wrong field with the texts of the spec', async () => {
    const { screen, sent, submit } = await openForm({ site: commercial });
    await expect.element(screen.getByLabelText('First name')).toHaveFocus();
    await submit();
    for (const text of [
      'Gender is a required field.',
      'Age is a required field.',
      'Email must be a valid email',
      'Phone is a required field.',
      'Add at least one service',
      'Type of client is a required field.',
      'Payment method is a required field.',
    ]) {
      // oxlint-disable-next-line no-await-in-loop
      await expect.element(screen.getByText(text)).toBeInTheDocument();
    }
    await expect.element(screen.getByLabelText('First name')).toHaveFocus();
    expect(sent).toEqual([]);
    await expectNoViolations();
  });

  it('focuses the first wrong field, also where it is a choice', async () => {
    const { screen, fill, submit } = await openForm({ site: commercial });
    await fill();
    await submit();
    await expect.element(screen.getByLabelText('Type of client')).toHaveFocus();
    await screen.getByLabelText('Type of client').selectOptions('Adults');
    await submit();
    await expect.element(screen.getByRole('radio', { name: 'Private pay' })).toHaveFocus();
  });

  it('moved to its first wrong field, lets the second half of a double tap choose nothing', async () => {
    const { screen, fill, submit } = await openForm({ site: commercial });
    await fill();
    const form = screen.getByRole('form').element();
    // Time stands still for what the form does about it.
    const moment = vi.spyOn(Element.prototype, 'animate').mockImplementation(function paused(this: Element, ...given) {
      moment.mockRestore();
      const animation = this.animate(...given);
      animation.pause();
      return animation;
    });
    await submit();
    await expect.element(screen.getByLabelText('Type of client')).toHaveFocus();
    expect(getComputedStyle(form).pointerEvents).toBe('none');
    for (const animation of form.getAnimations()) animation.finish();
    expect(getComputedStyle(form).pointerEvents).not.toBe('none');
  });

  it('refuses names that are too long', async () => {
    const { screen, fill, submit } = await openForm();
    await fill();
    await screen.getByLabelText('First name').fill('a'.repeat(51));
    await screen.getByLabelText('Last name initial').fill('Ko');
    await submit();
    await expect.element(screen.getByText('Maximum length of first name is 50 symbols.')).toBeVisible();
    await expect.element(screen.getByText('Maximum length of last name is 1 symbols.')).toBeVisible();
  });

  it('asks for the insurance company once Insurance is chosen, and sends it', async () => {
    const { screen, sent, onAdded, fill, submit } = await openForm({ site: commercial });
    await fill();
    await screen.getByLabelText('Type of client').selectOptions('Adults');
    await screen.getByRole('radio', { name: 'Insurance' }).click();
    await submit();
    await expect.element(screen.getByText('Please select insurance company.')).toBeVisible();
    await screen.getByLabelText('Insurance company').selectOptions('Meridian Mutual');
    await screen.getByLabelText('Policy number').fill('MM-1');
    await submit();
    await expect.poll(() => onAdded.mock.calls.length).toBe(1);
    expect(sent[0]?.body).toMatchObject({
      paymentMethod: 2,
      insuranceCompanyId: 'i1',
      policyNumber: 'MM-1',
      typeOfClientServiceId: 'adults',
      source: 'Admin',
    });
  });

  it('finds the city among places', async () => {
    const asked: (string | null)[] = [];
    const orange = { id: 'p1', label: 'Orange, CA', city: 'Orange', state: 'CA', precision: 'city' };
    serve(
      http.get('/api/places', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('kind'));
        return HttpResponse.json({ items: [orange] });
      }),
    );
    const { screen, sent, fill, submit } = await openForm();
    await fill();
    await screen.getByRole('combobox', { name: 'City' }).fill('ora');
    await screen.getByRole('option', { name: 'Orange, CA' }).click();
    await submit();
    await expect.poll(() => sent[0]?.body.location).toBe('Orange, CA');
    expect(asked[0]).toBe('city');
  });

  it('adds the guest once and says so', async () => {
    const { screen, sent, onAdded, fill, submit } = await openForm();
    await fill();
    await screen.getByLabelText('MediCal or other payment form').selectOptions('Medi-Cal Orange County');
    await submit();
    await expect.poll(() => onAdded.mock.calls.length).toBe(1);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({ phone: '+17145550134', gender: 2, ageGroup: 2, mediCalChoice: 'moc' });
    await expect.element(screen.getByText('Reservation K7M2QX for Anna K. was added.')).toBeVisible();
    await screen.getByRole('button', { name: 'Choose a bed' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/reservations-request/new');
  });

  it('adds the guest and leads to the beds at once, by the second button', async () => {
    const { screen, sent, onAdded, fill } = await openForm();
    await fill();
    await screen.getByRole('button', { name: 'Add and choose bed' }).click();
    await expect.element(screen.getByText('Reservation K7M2QX for Anna K. was added.')).toBeVisible();
    expect(sent).toHaveLength(1);
    expect(onAdded.mock.calls).toEqual([[expect.objectContaining({ id: 'new' }), 'beds']]);
    // The screen leads there itself.
    await expect.element(screen.getByRole('button', { name: 'Choose a bed', exact: true })).not.toBeInTheDocument();
  });

  it('names wrong fields by the second button too, and Enter in a field means the first', async () => {
    const { screen, sent, onAdded, fill } = await openForm();
    await screen.getByRole('button', { name: 'Add and choose bed' }).click();
    await expect.element(screen.getByText('Gender is a required field.')).toBeVisible();
    expect(sent).toEqual([]);
    await fill();
    await screen.getByLabelText('First name').click();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => onAdded.mock.calls.map(([, leadsTo]) => leadsTo)).toEqual(['list']);
  });

  it('puts field errors of the server beside their fields and keeps what was typed', async () => {
    const errors = [{ pointer: '/email', message: 'This address cannot receive mail.' }];
    const { screen, fill, submit } = await openForm({ answers: [() => problem(422, 'Check the fields.', { errors })] });
    await fill();
    await submit();
    await expect.element(screen.getByText('This address cannot receive mail.')).toBeVisible();
    await expect.element(screen.getByLabelText('Email')).toHaveFocus();
    await expect.element(screen.getByLabelText('Email')).toHaveValue('anna@mail.example');
  });

  it('shows any other refusal under the form; the next send has the same key', async () => {
    const { screen, sent, onAdded, fill, submit } = await openForm({
      answers: [
        () => problem(409, 'You cannot add a new guest because there are no vacant beds.', { code: 'no-vacant-beds' }),
        () => HttpResponse.json(guest('new'), { status: 201 }),
      ],
    });
    await fill();
    await submit();
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('You cannot add a new guest because there are no vacant beds.');
    await expectNoViolations();
    await submit();
    await expect.poll(() => onAdded.mock.calls.length).toBe(1);
    expect(sent[0]?.key).toMatch(/^[\w-]{20,}$/);
    expect(sent[1]?.key).toBe(sent[0]?.key);
  });

  it.each(['Add guest', 'Add and choose bed'])('keeps the focus on *%s* after a refusal', async (name) => {
    let refuse = () => undefined as void;
    const refusal = new Promise<Response>(
      (resolve) => (refuse = () => resolve(problem(409, 'The site is being deleted.'))),
    );
    const { screen, sent, fill } = await openForm({ user: admin, answers: [() => refusal] });
    await fill();
    const button = screen.getByRole('button', { name });
    (button.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}{Enter}');
    refuse();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('The site is being deleted.');
    await expect.element(button).toHaveFocus();
    expect(sent).toHaveLength(1);
  });

  it('asks again for a lost answer under the same key, and says meanwhile that it is not known', async () => {
    const { screen, sent, onAdded, fill, submit } = await openForm({
      answers: [() => HttpResponse.error(), () => HttpResponse.json(guest('new'), { status: 201 })],
    });
    await fill();
    await submit();
    await expect.element(screen.getByText('Not confirmed yet')).toBeVisible();
    await expectNoViolations();
    await expect.poll(() => onAdded.mock.calls.length).toBe(1);
    expect(sent[1]?.key).toBe(sent[0]?.key);
  });

  it('may be left while the outcome is not known; a refusal is told by a message then', async () => {
    const refusal = () =>
      problem(409, 'You cannot add a new guest because there are no vacant beds.', {
        code: 'no-vacant-beds',
      });
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { screen, onClose, fill, submit } = await openForm({
      answers: [() => HttpResponse.error(), () => isAnswered.then(refusal)],
    });
    await fill();
    await submit();
    await expect.element(screen.getByText('Not confirmed yet')).toBeVisible();
    await screen.getByRole('button', { name: 'Cancel' }).click();
    await screen.getByRole('button', { name: 'Leave' }).click();
    expect(onClose).toHaveBeenCalledTimes(1);
    await screen.rerender(<Providers queryClient={screen.queryClient}>nothing</Providers>);
    answer();
    await expect
      .element(page.getByText('The guest was not added. You cannot add a new guest because there are no vacant beds.'))
      .toBeVisible();
  });
});

describe('a third reservation of the same person', () => {
  const third = () => problem(409, 'This person has two active reservations.', { code: 'third-reservation' });

  it('is asked about and sent again with allowThird by those allowed', async () => {
    const answers = [third, () => HttpResponse.json(guest('new'), { status: 201 })];
    const { screen, sent, onAdded, fill, submit } = await openForm({ user: admin, answers });
    await fill();
    await submit();
    await expect.element(screen.getByRole('dialog', { name: 'A third reservation?' })).toBeVisible();
    await expect.element(screen.getByText('This person has two active reservations.')).toBeVisible();
    await screen.getByRole('button', { name: 'Add anyway' }).click();
    await expect.poll(() => onAdded.mock.calls.length).toBe(1);
    expect(sent.map(({ body }) => body.allowThird)).toEqual([undefined, true]);
  });

  it('added all the same by the second button, still leads to the beds', async () => {
    const { screen, onAdded, fill } = await openForm({
      user: admin,
      answers: [third, () => HttpResponse.json(guest('new'), { status: 201 })],
    });
    await fill();
    await screen.getByRole('button', { name: 'Add and choose bed' }).click();
    await screen.getByRole('button', { name: 'Add anyway' }).click();
    await expect.poll(() => onAdded.mock.calls.map(([, leadsTo]) => leadsTo)).toEqual(['beds']);
  });

  it('is only refused to intake users', async () => {
    const { screen, fill, submit } = await openForm({ answers: [third] });
    await fill();
    await submit();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('This person has two active reservations.');
    await expect.element(screen.getByRole('button', { name: 'Add anyway' })).not.toBeInTheDocument();
  });
});

describe('the form used to send the guest elsewhere', () => {
  const refused = (status: number, body: object) => apiErrorOf(new Response(null, { status }), body);

  async function openOther(user: typeof intake, ...refusals: Error[]) {
    const sendGuest = vi.fn((_guest: Schemas['NewGuest']): Promise<void> => {
      const refusal = refusals.shift();
      return refusal ? Promise.reject(refusal) : Promise.resolve();
    });
    const onSent = vi.fn();
    const otherUse = { title: 'Add to waitlist', Fields: () => null, sendGuest, onSent };
    const form = await openForm({ user, otherUse });
    await form.fill();
    await form.screen.getByRole('button', { name: 'Add to waitlist' }).click();
    return { ...form, sendGuest, onSent };
  }

  it.each(['/guest/firstName', '/firstName'])('puts the error of %s beside the field', async (pointer) => {
    const message = 'This name cannot be read.';
    const { screen } = await openOther(intake, refused(422, { message: 'Wrong.', errors: [{ pointer, message }] }));
    await expect.element(screen.getByText(message)).toBeVisible();
    await expect.element(screen.getByLabelText('First name')).toBeInvalid();
    await expect.element(screen.getByLabelText('First name')).toHaveFocus();
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  });

  it.each(['/guest/ageGroup', '/ageGroup'])('knows the field of %s, which has another name here', async (pointer) => {
    const message = 'Choose an age.';
    const { screen } = await openOther(intake, refused(422, { message: 'Wrong.', errors: [{ pointer, message }] }));
    await expect.element(screen.getByText(message)).toBeVisible();
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  });

  const third = () => refused(409, { message: 'This person has two active reservations.', code: 'third-reservation' });

  it('asks about a third reservation, and sends it again with allowThird', async () => {
    const { screen, sendGuest, onSent } = await openOther(admin, third());
    await expect.element(screen.getByText('This person has two active reservations.')).toBeVisible();
    await screen.getByRole('button', { name: 'Add anyway' }).click();
    await expect.poll(() => onSent.mock.calls.length).toBe(1);
    expect(sendGuest.mock.calls.map(([sent]) => sent.allowThird)).toEqual([undefined, true]);
  });

  it('only refuses a third reservation to intake users', async () => {
    const { screen } = await openOther(intake, third());
    await expect.element(screen.getByRole('alert')).toHaveTextContent('This person has two active reservations.');
    await expect.element(screen.getByRole('button', { name: 'Add anyway' })).not.toBeInTheDocument();
  });
});

describe('a walk-in while reservations hold every vacant bed', () => {
  it('is added with a reason by those allowed', async () => {
    const { screen, sent, onAdded, fill, submit } = await openForm({ site: held, user: admin });
    await expect
      .element(screen.getByText(/^All vacant beds are held for reservations or the waitlist\./))
      .toBeVisible();
    await fill();
    await submit();
    await expect.element(screen.getByText('Please enter a reason.')).toBeVisible();
    await expect.element(screen.getByLabelText('Reason')).toHaveFocus();
    expect(sent).toEqual([]);
    await expectNoViolations();
    await screen.getByLabelText('Reason').fill('At the door, 11 pm');
    await submit();
    await expect.poll(() => onAdded.mock.calls.length).toBe(1);
    expect(sent[0]?.body.overCapacityReason).toBe('At the door, 11 pm');
  });

  it('is asked for a reason where only the server knows that there is no place', async () => {
    const full = () =>
      problem(409, 'You cannot add a new guest because there are no vacant beds.', { code: 'no-vacant-beds' });
    const answers = [full, () => HttpResponse.json(guest('new'), { status: 201 })];
    const { screen, sent, onAdded, fill, submit } = await openForm({ user: admin, answers });
    await fill();
    await expect.element(screen.getByLabelText('Reason')).not.toBeInTheDocument();
    await submit();
    await expect.element(screen.getByLabelText('Reason')).toHaveFocus();
    // Beds are vacant, so it would not be true that none is.
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
    await screen.getByLabelText('Reason').fill('At the door');
    await submit();
    await expect.poll(() => onAdded.mock.calls.length).toBe(1);
    expect(sent.map(({ body }) => body.overCapacityReason)).toEqual([undefined, 'At the door']);
  });

  it('is not there once every bed is taken', async () => {
    const taken = { ...free, counts: { ...free.counts, vacant: 0, pending: 0 } };
    const { screen } = await openForm({ site: taken, user: admin });
    await expect.element(screen.getByRole('button', { name: 'Add guest' })).toHaveAttribute('aria-disabled', 'true');
    await expect.element(screen.getByLabelText('Reason')).not.toBeInTheDocument();
  });
});

describe('what the site does not serve', () => {
  const adults = {
    ...commercial,
    services: [
      service('detox', 'Medical detox', 'General'),
      service('age-18-26', '18 to 26', 'Age'),
      service('adults', 'Adults', 'Client'),
    ],
  };

  it('stands behind a button, after what the site serves', async () => {
    const { screen, fill } = await openForm({ site: adults });
    await fill();
    const [age, other] = [screen.getByLabelText('Under 18'), screen.getByLabelText('Prenatal')];
    await expect.element(screen.getByLabelText('18 to 26')).toBeVisible();
    await expect.element(age).not.toBeInTheDocument();
    await expect.element(other).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Other ages' }).click();
    await screen.getByRole('button', { name: 'Other services' }).click();
    await expect.element(age).toBeVisible();
    await expect.element(other).toBeVisible();
    await expectNoViolations();
  });

  it('is warned of, and added once somebody has said so', async () => {
    const { screen, sent, onAdded, fill, submit } = await openForm({ site: adults });
    await fill();
    await screen.getByLabelText('Type of client').selectOptions('Adults');
    await screen.getByRole('radio', { name: 'Private pay' }).click();
    await screen.getByRole('button', { name: 'Other ages' }).click();
    await screen.getByLabelText('Under 18').click();
    await screen.getByRole('button', { name: 'Other services' }).click();
    await screen.getByLabelText('Prenatal').click();
    await expect.element(screen.getByText('Harbor House does not accept guests under 18.')).toBeVisible();
    await expect.element(screen.getByText(/^Harbor House does not offer: Under 18 and Prenatal\./)).toBeVisible();
    await submit();
    await expect.element(screen.getByText('Check this box to add the guest anyway.')).toBeVisible();
    expect(sent).toEqual([]);
    await screen.getByLabelText('Add the guest anyway').click();
    await submit();
    await expect.poll(() => onAdded.mock.calls.length).toBe(1);
    expect(sent[0]?.body).toMatchObject({ allowNotServed: true, ageServiceId: 'age-under-18' });
  });

  it('is nothing to say yes to where all is served', async () => {
    const { sent, onAdded, fill, submit } = await openForm();
    await fill();
    await submit();
    await expect.poll(() => onAdded.mock.calls.length).toBe(1);
    expect(sent[0]?.body.allowNotServed).toBe(undefined);
  });
});

it('offers no insurance without an insurer', async () => {
  const { screen } = await openForm({ site: { ...commercial, insuranceCompanies: [] } });
  await expect.element(screen.getByRole('radio', { name: 'Private pay' })).toBeVisible();
  await expect.element(screen.getByRole('radio', { name: 'Insurance' })).not.toBeInTheDocument();
});

describe('leaving the form', () => {
  it('asks once something is typed, and neither Escape nor Cancel throws it away', async () => {
    const { screen, onClose } = await openForm();
    await screen.getByLabelText('First name').fill('Anna');
    await userEvent.keyboard('{Escape}');
    expect(onClose).not.toHaveBeenCalled();
    await screen.getByRole('button', { name: 'Keep editing' }).click();
    await screen.getByRole('button', { name: 'Cancel' }).click();
    await screen.getByRole('button', { name: 'Keep editing' }).click();
    expect(onClose).not.toHaveBeenCalled();
    void screen.router.navigate({ to: '/elsewhere' as never });
    await expect.element(screen.getByText('Leave page? Changes that you made wont be saved.')).toBeVisible();
    await screen.getByRole('button', { name: 'Stay' }).click();
    await expect.element(screen.getByLabelText('First name')).toHaveValue('Anna');
  });

  it('closes by Escape while nothing is typed', async () => {
    const { onClose } = await openForm();
    await userEvent.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });
});

/** All vacant beds are held by reservations. */
const held = { ...free, counts: { ...free.counts, vacant: 1, pending: 1 } };

it('says so when all places are taken', async () => {
  const { screen, sent, fill } = await openForm({ site: held });
  await expect.element(screen.getByText('You cannot add a new guest because there are no vacant beds.')).toBeVisible();
  await fill();
  await expect.element(screen.getByRole('button', { name: 'Add guest' })).toHaveAttribute('aria-disabled', 'true');
  await screen.getByLabelText('First name').click();
  await userEvent.keyboard('{Enter}');
  expect(sent).toEqual([]);
});

it('says that services failed to load, and tries again', async () => {
  let calls = 0;
  serve(
    http.get('/api/SiteServices/nonCommercial', () => {
      calls += 1;
      return calls === 1 ? problem(500, 'Broken.') : Response.json(services);
    }),
  );
  const screen = await renderView(
    <NewGuestDialog subject site={free} onAdded={() => undefined} onClose={() => undefined} />,
    { user: intake },
  );
  await expect.element(screen.getByText('failed to load services')).toBeVisible();
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByLabelText('First name')).toBeVisible();
});
