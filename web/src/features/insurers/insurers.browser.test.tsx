import { cleanNotifications } from '@mantine/notifications';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { InsurersPage } from './components/insurers-page';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import type { Insurer } from './insurers.utils';

afterEach(async () => {
  cleanNotifications();
  await page.viewport(1360, 900);
});

const global = currentUser({ role_global: true });

/** A company with a logo; `name` is its id, too. */
const insurer = (name: string, fields: Partial<Insurer> = {}): Insurer => ({
  id: name,
  name,
  logoPath: '/favicon.svg',
  isPrimary: false,
  version: 1,
  ...fields,
});

const show = (search = { search: '', page: 1 }) =>
  renderView(
    <Suspense fallback="…">
      <InsurersPage search={search} />
    </Suspense>,
    { user: global },
  );

const many = Array.from({ length: 50 }, (_, index) => insurer(`Insurer ${String(index + 1).padStart(2, '0')}`));

describe('the insurance companies of the platform', () => {
  it('are cards, top ones marked, each with a menu of its own', async () => {
    serve(answerGet('/api/InsuranceCompanies', [insurer('Blue Anchor', { isPrimary: true }), insurer('Calm Waters')]));
    const screen = await show();
    await expect.element(screen.getByRole('heading', { name: 'Insurance Companies', level: 1 })).toBeVisible();
    await expect.element(screen.getByText('2 insurance companies')).toBeVisible();
    expect(screen.getByText('Top Insurance').elements()).toHaveLength(1);
    await screen.getByRole('button', { name: 'Actions for Calm Waters' }).click();
    await expect.element(screen.getByRole('menuitem', { name: 'Edit' })).toBeVisible();
    await expect.element(screen.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
    await expectNoViolations();
  });

  it('stand 21 on a page, three pages beside the present one, in a list of at most 70 % of the window', async () => {
    serve(answerGet('/api/InsuranceCompanies', many));
    const screen = await show({ search: '', page: 2 });
    await expect.element(screen.getByRole('heading', { name: 'Insurer 22' })).toBeVisible();
    expect(screen.getByRole('listitem').elements()).toHaveLength(21);
    await expect.element(screen.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');
    const list = screen.getByRole('list', { name: 'Insurance Companies' }).element().parentElement;
    expect(list?.getBoundingClientRect().height).toBe(630);
    await expectNoViolations();
  });

  it('of a page behind the last one are those of the last one', async () => {
    serve(answerGet('/api/InsuranceCompanies', many));
    const screen = await show({ search: '', page: 9 });
    await expect.element(screen.getByRole('heading', { name: 'Insurer 50' })).toBeVisible();
    expect(screen.getByRole('listitem').elements()).toHaveLength(8);
  });

  it('are found by a part of the name, whatever its case', async () => {
    serve(answerGet('/api/InsuranceCompanies', many));
    const screen = await show({ search: ' insurer 4', page: 3 });
    await expect.element(screen.getByText('10 insurance companies')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Search Insurances...' }).element()).toHaveValue(' insurer 4');
    expect(screen.getByRole('button', { name: 'Page 1' }).query()).toBeNull();
  });

  it('say so when none has the name, and when there are none at all', async () => {
    serve(answerGet('/api/InsuranceCompanies', many));
    const screen = await show({ search: 'nothing', page: 1 });
    await expect.element(screen.getByText('No insurance company matches this name.')).toBeVisible();
    await screen.unmount();
    serve(answerGet('/api/InsuranceCompanies', []));
    const empty = await show();
    await expect.element(empty.getByText('No insurance companies yet')).toBeVisible();
    await expect.element(empty.getByRole('button', { name: 'New Insurance' })).toBeVisible();
    await expectNoViolations();
  });
});

describe('a new insurance company', () => {
  it('needs a name and a logo', async () => {
    serve(answerGet('/api/InsuranceCompanies', []));
    const screen = await show();
    await screen.getByRole('button', { name: 'New Insurance' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Create New Insurance' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog.getByText('Required field.')).toBeVisible();
    await expect.element(dialog.getByText('Please add a logo of insurance company.')).toBeVisible();
    await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await expectNoViolations();
  });
});

describe('an insurance company', () => {
  const anchor = insurer('Blue Anchor', { isPrimary: true, version: 4 });

  async function open(entry: 'Edit' | 'Delete') {
    serve(answerGet('/api/InsuranceCompanies', [anchor]));
    const screen = await show();
    await screen.getByRole('button', { name: 'Actions for Blue Anchor' }).click();
    await screen.getByRole('menuitem', { name: entry }).click();
    return screen;
  }

  it('is edited under its name, with the version that was seen', async () => {
    const sent: Schemas['InsuranceCompanyEdit'][] = [];
    serve(
      http.put<{ id: string }, Schemas['InsuranceCompanyEdit']>('/api/InsuranceCompanies/:id', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ ...anchor, name: 'Blue Whale' });
      }),
    );
    const screen = await open('Edit');
    const dialog = screen.getByRole('dialog', { name: 'Blue Anchor' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Blue Whale');
    await dialog.getByRole('switch', { name: 'Top Insurance' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Changes to Blue Whale were saved.')).toBeVisible();
    expect(sent).toEqual([
      { id: 'Blue Anchor', name: 'Blue Whale', logoPath: '/favicon.svg', isPrimary: false, version: 4 },
    ]);
    // The focus goes back to where the dialog was opened.
    await expect.element(screen.getByRole('button', { name: 'Actions for Blue Anchor' })).toHaveFocus();
  });

  it('keeps what was typed when its name is taken', async () => {
    const message = 'An insurance company with this name already exists.';
    serve(
      http.put('/api/InsuranceCompanies/:id', () => problem(409, message, { errors: [{ pointer: '/name', message }] })),
    );
    const screen = await open('Edit');
    const dialog = screen.getByRole('dialog', { name: 'Blue Anchor' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Calm Waters');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog.getByText(message)).toBeVisible();
    expect(dialog.getByRole('textbox', { name: 'Name' }).element()).toHaveValue('Calm Waters');
  });

  it('that someone else changed meanwhile is replaced only when that is said', async () => {
    const sent: (number | null | undefined)[] = [];
    serve(
      http.put<{ id: string }, Schemas['InsuranceCompanyEdit']>('/api/InsuranceCompanies/:id', async ({ request }) => {
        const { version } = await request.json();
        sent.push(version);
        if (sent.length > 1) return HttpResponse.json({ ...anchor, name: 'Blue Whale', version: 6 });
        serve(
          answerGet('/api/InsuranceCompanies', [
            insurer('Blue Anchor', { name: 'Blue Sky', logoPath: 'uploads/ins_theirs.jpg', version: 5 }),
          ]),
        );
        return problem(412, 'This was changed in the meantime.');
      }),
    );
    const screen = await open('Edit');
    const dialog = screen.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Blue Whale');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog.getByText('Saved now: Blue Sky')).toBeVisible();
    const logo = dialog.getByRole('img', { name: 'Logo, saved now' });
    await expect.element(logo).toBeInTheDocument();
    await expect.element(dialog.getByRole('alert')).not.toHaveTextContent('uploads');
    expect(dialog.getByRole('textbox', { name: 'Name' }).element()).toHaveValue('Blue Whale');
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Save mine instead' }).click();
    await expect.element(screen.getByText('Changes to Blue Whale were saved.')).toBeVisible();
    expect(sent).toEqual([4, 5]);
  });

  it('is deleted after a question; a refusal stays in it', async () => {
    let isRefused = true;
    serve(
      http.delete('/api/InsuranceCompanies/:id', () =>
        isRefused ? problem(503, 'Berth is busy. Please try again.') : new HttpResponse(null, { status: 204 }),
      ),
    );
    const screen = await open('Delete');
    const dialog = screen.getByRole('dialog', { name: 'Delete Blue Anchor?' });
    await expect.element(dialog.getByText('Existing guests keep it on their record.')).toBeVisible();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Delete insurance' }).click();
    await expect.element(dialog.getByText('Berth is busy. Please try again.')).toBeVisible();
    isRefused = false;
    await userEvent.keyboard('{Escape}');
    await screen.getByRole('button', { name: 'Actions for Blue Anchor' }).click();
    await screen.getByRole('menuitem', { name: 'Delete' }).click();
    await screen.getByRole('button', { name: 'Delete insurance' }).click();
    await expect.element(screen.getByText('Blue Anchor was deleted.')).toBeVisible();
  });
});
