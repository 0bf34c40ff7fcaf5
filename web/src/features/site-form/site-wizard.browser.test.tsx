import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { currentUserQuery } from '@/access/current-user';
import type { Schemas } from '@/api/client';
import { clearDrafts } from '@/lib/drafts';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import { SITE, answerChoices, chooseAddress, harborRecovery } from '@/testing/site-world';
import { SiteWizard } from './components/site-wizard';

afterEach(async () => {
  cleanNotifications();
  await page.viewport(1360, 900);
});
beforeEach(() => clearDrafts());

const owner = currentUser({ role_owner_organization_ids: 'o1' });
const DESCRIPTION = 'A quiet house with a garden, near the beach, for people who want to begin again together.';

interface Sent {
  body: Schemas['NewSite'];
  key: string | null;
  path: string;
}

/** Opens the wizard; `answers` are given one after the other, the last one again and again. */
async function openWizard({ isCommercial = false, answers = [] as (() => Response | Promise<Response>)[] } = {}) {
  const sent: Sent[] = [];
  answerChoices();
  serve(
    http.post('/api/Sites/:kind', async ({ request }) => {
      const body = (await request.json()) as Schemas['NewSite'];
      sent.push({ body, key: request.headers.get('Idempotency-Key'), path: new URL(request.url).pathname });
      const created = HttpResponse.json({ ...SITE, isCommercial, name: body.name }, { status: 201 });
      return answers[Math.min(sent.length, answers.length) - 1]?.() ?? created;
    }),
  );
  const screen = await renderView(
    <Suspense fallback="…">
      <SiteWizard organization={harborRecovery({ isCommercial })} type="organizations" />
    </Suspense>,
    { user: owner, path: '/sites/new/o1' },
  );
  await expect.element(screen.getByRole('heading', { name: 'About' })).toBeVisible();
  const next = () => screen.getByRole('button', { name: 'Next' }).click();
  const save = () => screen.getByRole('button', { name: 'Save changes' }).click();
  const step = (name: string) => expect.element(screen.getByRole('heading', { name, level: 2 })).toHaveFocus();
  const about = async () => {
    await screen.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbor House');
    await screen.getByLabelText('Description').fill(DESCRIPTION);
    await chooseAddress(screen);
  };
  const contacts = async () => {
    await screen.getByLabelText('Phone').fill('(714) 555-0134');
    await screen.getByRole('textbox', { name: 'Email', exact: true }).fill('front@harbor.example');
    await screen.getByLabelText('First name').fill('Ada');
    await screen.getByLabelText('Last name').fill('Moreno');
    await screen.getByLabelText("Admin's email").fill('ada@harbor.example');
  };
  const services = async () => {
    await screen.getByLabelText('Medical detox').click();
    await screen.getByLabelText('English').click();
    await screen.getByLabelText('Max screening period').selectOptions('24 hours');
  };
  /** To the last step, everything before it filled. */
  const toServices = async () => {
    await about();
    await next();
    await step('Contacts');
    await contacts();
    await next();
    await step('Intake hours');
    await screen.getByRole('checkbox', { name: 'Weekends' }).click();
    await next();
    await step('Accomodations');
    await screen.getByRole('button', { name: 'One more Detox bed in House #1' }).click();
    await next();
    await step('Services');
  };
  return { screen, sent, next, save, step, about, contacts, services, toServices };
}

describe('the wizard for a new site', () => {
  it('goes through five steps, marks what is done, and creates the site once', async () => {
    const { screen, sent, services, toServices } = await openWizard();
    await toServices();
    await expect.element(screen.getByRole('button', { name: /Contacts\s*, completed/ })).toBeVisible();
    await expect.element(screen.getByText('Step 5 of 5')).toBeVisible();
    await services();
    await screen.getByLabelText('Sliding Scale').click();
    await expectNoViolations();
    const button = screen.getByRole('button', { name: 'Save changes' }).element() as HTMLButtonElement;
    button.click();
    button.click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/organizations/o1/s1');
    await expect.element(screen.getByText('Harbor House was created.', { exact: false })).toBeVisible();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.path).toBe('/api/Sites/nonCommercial');
    expect(sent[0]?.body).toMatchObject({
      organizationId: 'o1',
      name: 'Harbor House',
      alias: null,
      contactPhone: '+17145550134',
      adminEmail: 'ada@harbor.example',
      rooms: [{ name: 'House #1', imagePath: null, beds: [{ type: 'Detox', count: 1 }] }],
      serviceIds: ['medical-detox'],
      languageIds: ['en'],
      screeningPeriod: '01:00:00:00',
      nonCommercialPaymentMethodIds: ['ss'],
      redirectUri: `${location.origin}/login/callback`,
    });
    expect(sent[0]?.body.intakePeriods[1]).toEqual({
      timePeriod: 'Weekends',
      enabled: true,
      from: '09:00:00',
      to: '17:00:00',
    });
    expect(Object.keys(sessionStorage).filter((name) => name.startsWith('berth.draft.'))).toEqual([]);
  });

  it('names every wrong field of its step on Next, and puts the focus on the first', async () => {
    const { screen, next, step, about } = await openWizard();
    await next();
    await expect.element(screen.getByText('Please choose address from dropdown.')).toBeVisible();
    await expect.element(screen.getByRole('textbox', { name: 'Name', exact: true })).toHaveFocus();
    await expectNoViolations();
    await about();
    await screen.getByLabelText('Alias').fill('ab');
    await next();
    await expect.element(screen.getByText('Alias must be at least 3 characters.')).toBeVisible();
    await screen.getByLabelText('Alias').fill('');
    await next();
    await step('Contacts');
    await next();
    await expect.element(screen.getByLabelText('Phone')).toHaveFocus();
    await screen.getByLabelText('Phone').fill('714');
    await screen.getByLabelText('Website').fill('harbor');
    await screen.getByRole('textbox', { name: 'Email', exact: true }).fill('front');
    await next();
    await expect.element(screen.getByText('Phone number is incorrect')).toBeVisible();
    await expect.element(screen.getByText('Invalid URL.')).toBeVisible();
    await expect.element(screen.getByText('Invalid email.')).toBeVisible();
    await expectNoViolations();
  });

  it('asks for intake hours, houses with beds, services and languages with the texts of the spec', async () => {
    const { screen, next, step, about, contacts, save } = await openWizard();
    await about();
    await next();
    await step('Contacts');
    await contacts();
    await next();
    await step('Intake hours');
    await next();
    await expect.element(screen.getByText('Add at least one intake period.')).toBeVisible();
    await expect.element(screen.getByRole('checkbox', { name: 'Monday to Friday' })).toHaveFocus();
    await expectNoViolations();
    await screen.getByRole('checkbox', { name: 'Holidays' }).click();
    await expect.element(screen.getByText('Add at least one intake period.')).not.toBeInTheDocument();
    await next();
    await step('Accomodations');
    await next();
    await expect.element(screen.getByText('Add at least one bed to the room.')).toBeVisible();
    await expect.element(screen.getByLabelText('Detox beds in House #1')).toHaveFocus();
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Remove House #1' }).click();
    await next();
    await expect.element(screen.getByText('Add at least one room.')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Add House' })).toHaveFocus();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await screen.getByLabelText('Treatment beds in House #1').fill('4');
    await next();
    await step('Services');
    await save();
    await expect.element(screen.getByText('Add at least one service.')).toBeVisible();
    await expect.element(screen.getByLabelText('Medical detox')).toHaveFocus();
    await expectNoViolations();
  });

  it('of a commercial site has no houses, wants a photo, and shows how the organization is paid', async () => {
    const { screen, next, about } = await openWizard({ isCommercial: true });
    await expect.element(screen.getByText('Step 1 of 4')).toBeVisible();
    await expect.element(screen.getByText('Accomodations')).not.toBeInTheDocument();
    await about();
    await next();
    await expect.element(screen.getByText('Please add at least one photo.')).toBeVisible();
    await expectNoViolations();
  });

  it('leads to the step of a field that the server refuses', async () => {
    const refusals = [
      () =>
        problem(422, 'Some fields are wrong.', {
          errors: [
            { pointer: '/adminEmail', message: 'This address is blocked.' },
            { pointer: '/rooms/0/name', message: 'This name is taken.' },
          ],
        }),
    ];
    const { screen, sent, save, services, toServices } = await openWizard({ answers: refusals });
    await toServices();
    await services();
    await save();
    await expect.element(screen.getByText('This address is blocked.')).toBeVisible();
    await expect.element(screen.getByLabelText("Admin's email")).toHaveFocus();
    await expect.element(screen.getByRole('button', { name: /About\s*, completed/ })).toBeVisible();
    expect(sent).toHaveLength(1);
    expect(Object.keys(sessionStorage).some((name) => name.startsWith('berth.draft.'))).toBe(true);
  });

  it('sends the same key again when the answer got lost, and says that this is safe', async () => {
    const { screen, sent, save, services, toServices } = await openWizard({
      answers: [() => HttpResponse.error(), () => HttpResponse.json(SITE, { status: 201 })],
    });
    await toServices();
    await services();
    await save();
    await expect.element(screen.getByText('nothing is saved twice', { exact: false })).toBeVisible();
    await save();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/organizations/o1/s1');
    expect(sent).toHaveLength(2);
    expect(sent[0]?.key).toBe(sent[1]?.key);
  });

  it('asks before it is left, and forgets the draft then', async () => {
    const { screen, about } = await openWizard();
    await about();
    void screen.router.navigate({ to: '/organizations' as never });
    await expect.element(screen.getByText('You will lose all progress')).toBeVisible();
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Stay' }).click();
    await expect.element(screen.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Harbor House');
    void screen.router.navigate({ to: '/organizations' as never });
    await screen.getByRole('button', { name: 'Leave page' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/organizations');
    expect(Object.keys(sessionStorage).filter((name) => name.startsWith('berth.draft.'))).toEqual([]);
  });

  it('keeps the draft for the person who typed it, also if somebody else signs in meanwhile', async () => {
    const { screen } = await openWizard();
    const name = screen.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Harbor');
    const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith('berth.draft.'));
    const own = drafts();
    expect(own).toHaveLength(1);
    const other = currentUser({ sub: '0190a000-0000-7000-8000-0000000000ff', role_owner_organization_ids: 'o1' });
    expect(other.id).not.toBe(owner.id);
    screen.queryClient.setQueryData(currentUserQuery.queryKey, other);
    await name.fill('Harbor House');
    await expect.poll(() => sessionStorage.getItem(own[0] ?? '')).toContain('Harbor House');
    expect(drafts()).toEqual(own);
  });

  it('keeps the draft with its key when it is left before the server has confirmed', async () => {
    const { screen, sent, save, services, toServices } = await openWizard({ answers: [() => HttpResponse.error()] });
    await toServices();
    await services();
    await save();
    await expect.element(screen.getByText('nothing is saved twice', { exact: false })).toBeVisible();
    void screen.router.navigate({ to: '/organizations' as never });
    await expect.element(screen.getByText(/^The server has not confirmed yet/)).toBeVisible();
    await screen.getByRole('button', { name: 'Leave page' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/organizations');
    const drafts = Object.keys(sessionStorage).filter((name) => name.startsWith('berth.draft.'));
    expect(drafts.map((name) => sessionStorage.getItem(name)?.includes(sent[0]?.key ?? '-'))).toEqual([true]);
  });

  it('is not asked about when the session is over', async () => {
    const { screen, about } = await openWizard();
    await about();
    void screen.router.navigate({ to: '/login' });
    await expect.poll(() => screen.router.state.location.pathname).toBe('/login');
  });

  it('comes back after a reload as it was, at its step, and can be started over', async () => {
    const first = await openWizard();
    await first.about();
    await first.next();
    await first.step('Contacts');
    await first.screen.getByLabelText('First name').fill('Ada');
    await first.screen.unmount();
    answerChoices();
    const screen = await renderView(
      <Suspense fallback="…">
        <SiteWizard organization={harborRecovery({ isCommercial: false })} type="organizations" />
      </Suspense>,
      { user: owner },
    );
    await expect.element(screen.getByRole('heading', { name: 'Contacts' })).toBeVisible();
    await expect.element(screen.getByLabelText('First name')).toHaveValue('Ada');
    await expect.element(screen.getByText('Your earlier entries are restored.', { exact: false })).toBeVisible();
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Previous Step' }).click();
    await expect.element(screen.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Harbor House');
    await screen.getByRole('button', { name: 'Start over' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
    await expect.element(screen.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('');
  });

  it('shows the intake hours of a narrow window, all by keyboard', async () => {
    await page.viewport(390, 844);
    const { screen, next, step, about, contacts } = await openWizard();
    await about();
    await next();
    await step('Contacts');
    await contacts();
    await next();
    await step('Intake hours');
    await userEvent.keyboard('{Tab} ');
    const from = screen.getByLabelText('Monday to Friday: From');
    await expect.element(from).toHaveValue('09:00:00');
    await from.selectOptions('All Day');
    await expect.element(screen.getByLabelText('Monday to Friday: To')).toBeDisabled();
    await expect.element(screen.getByLabelText('Monday to Friday: To')).toHaveValue('00:01:00');
    await from.selectOptions('6:00 PM');
    await expect.element(screen.getByLabelText('Monday to Friday: To')).toHaveValue('24:00:00');
    const options = [...(screen.getByLabelText('Monday to Friday: To').element() as HTMLSelectElement).options];
    expect(options[0]?.value).toBe('18:00:00');
    await expectNoViolations();
  });

  it('counts the description, red outside of 80 to 2000', async () => {
    const { screen } = await openWizard();
    const counter = () => screen.getByText(/^\d+ \/ 80–2000$/).element().parentElement;
    expect(counter()?.dataset.wrong).toBe('false');
    await screen.getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => counter()?.dataset.wrong).toBe('true');
    await screen.getByLabelText('Description').fill('Short.');
    await expect.element(screen.getByText('74 more characters needed.', { exact: true }).first()).toBeVisible();
    expect(counter()?.dataset.wrong).toBe('true');
    await screen.getByLabelText('Description').fill('x'.repeat(80));
    await expect.poll(() => counter()?.dataset.wrong).toBe('false');
    await screen.getByLabelText('Description').fill('x'.repeat(2001));
    await expect.element(screen.getByText('1 character over the recommended length.').first()).toBeVisible();
    await expect.element(screen.getByRole('status').filter({ hasText: '2001 / 80–2000' })).toBeInTheDocument();
  });
});
