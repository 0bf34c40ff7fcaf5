import { cleanNotifications } from '@mantine/notifications';
import { createBrowserHistory } from '@tanstack/react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { NetworkError } from '@/api/errors';
import { expectNoViolations } from '@/testing/axe';
import { field, open, save, type Server } from '@/testing/save-form-world';
import { problem } from '@/testing/server';

afterEach(() => cleanNotifications());

const form = () => page.getByRole('dialog', { name: 'House' });
const question = () => page.getByRole('dialog', { name: 'Discard your changes?' });

describe('a form', () => {
  it('says what is wrong at the field, moves there, and sends nothing', async () => {
    const { server } = await open();
    await field('Note').fill('Near the sea');
    await save().click();
    await expect.element(page.getByText('Required field.')).toBeVisible();
    await expect.element(field('Name')).toHaveFocus();
    await expectNoViolations();
    expect(server.calls).toEqual([]);
  });

  it('that moved to its first invalid field lets the second half of a double tap choose nothing', async () => {
    await open();
    const toggle = page.getByRole('switch', { name: 'Open' }).element();
    const isInReach = () => {
      const { left, top, width, height } = toggle.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return found?.closest('form') !== null;
    };
    expect(isInReach()).toBe(true);
    // Time stands still for what the form does about it.
    const moment = vi.spyOn(Element.prototype, 'animate').mockImplementation(function paused(this: Element, ...given) {
      moment.mockRestore();
      const animation = this.animate(...given);
      animation.pause();
      return animation;
    });
    await save().click();
    await expect.element(field('Name')).toHaveFocus();
    expect(isInReach()).toBe(false);
    for (const animation of toggle.closest('form')?.getAnimations() ?? []) animation.finish();
    expect(isInReach()).toBe(true);
  });

  it('is sent once however often it is pressed, closes, and tells that it was saved', async () => {
    const { server } = await open();
    await field('Name').fill('Beacon');
    const button = save().element() as HTMLButtonElement;
    button.click();
    button.click();
    await expect.element(page.getByText('Beacon was saved.')).toBeVisible();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    expect(server.calls).toHaveLength(1);
  });

  it('puts what the server refuses at its field, the rest under the form, and keeps what was typed', async () => {
    const { server } = await open();
    server.answers = [
      () =>
        problem(422, 'Some fields are wrong.', {
          errors: [
            { pointer: '/title', message: 'This name is taken.' },
            { pointer: '/site', message: 'The site is closed.' },
          ],
        }),
      () => problem(409, 'The site is being deleted.'),
    ];
    await field('Name').fill('Beacon');
    await save().click();
    await expect.element(page.getByText('This name is taken.')).toBeVisible();
    await expect.element(page.getByRole('alert')).toHaveTextContent('The site is closed.');
    await expect.element(field('Name')).toHaveFocus();
    await expectNoViolations();
    await save().click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('The site is being deleted.');
    await expect.element(page.getByText('This name is taken.')).not.toBeInTheDocument();
    await expect.element(field('Name')).toHaveValue('Beacon');
  });
});

it('a field that is left by a press complains after the release: what is pressed does not move away', async () => {
  await open();
  let complained: boolean | undefined;
  field('Note')
    .element()
    .addEventListener('pointerup', () => {
      complained = page.getByText('Required field.').query() !== null;
    });
  await field('Name').click();
  // Held for as long as it takes to draw a message.
  await userEvent.click(field('Note'), { delay: 250 });
  expect(complained).toBe(false);
  await expect.element(page.getByText('Required field.')).toBeVisible();
});

describe('one intent', () => {
  const keys = ({ calls }: Server) => calls.map(({ key }) => key);

  it('keeps its key while its outcome is not known, and says so', async () => {
    const { server } = await open();
    server.answers = [() => new NetworkError(), () => problem(503, 'Busy.')];
    await field('Name').fill('Beacon');
    await save().click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('nothing is saved twice');
    await save().click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('Busy.');
    await save().click();
    await expect.element(page.getByText('Beacon was saved.')).toBeVisible();
    expect(new Set(keys(server)).size).toBe(1);
  });

  it('ends when it was saved: the next opening is another one', async () => {
    const { server } = await open();
    for (const name of ['Beacon', 'Cove']) {
      await field('Name').fill(name);
      await save().click();
      await expect.element(page.getByText(`${name} was saved.`)).toBeVisible();
      await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
      await page.getByRole('button', { name: 'Edit house' }).click();
    }
    expect(new Set(keys(server)).size).toBe(2);
  });

  it('that was saved after all is not made again with other words', async () => {
    const { server } = await open();
    const message = 'This Idempotency-Key was used for another request.';
    server.answers = [
      () => new NetworkError(),
      () =>
        problem(422, 'Some fields are wrong.', { errors: [{ pointer: '', message, code: 'reused-idempotency-key' }] }),
    ];
    await field('Name').fill('Beacon');
    await save().click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('nothing is saved twice');
    await field('Name').fill('Beacon 2');
    await save().click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('Your first attempt was saved');
  });
});

describe('nothing typed is lost silently', () => {
  const ways: [string, () => Promise<unknown>][] = [
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['the cross', () => form().getByRole('button', { name: 'Close' }).click()],
    ['Cancel', () => form().getByRole('button', { name: 'Cancel' }).click()],
    // Forced: what lies there is the overlay of the dialog.
    [
      'a press outside',
      () => userEvent.click(page.getByTestId('elsewhere'), { force: true, position: { x: 2, y: 2 } }),
    ],
  ];

  it('while it is sent: the fields keep what was sent, and the focus stays', async () => {
    const { server } = await open();
    let answer: (response: Response) => void = () => undefined;
    server.answers = [() => new Promise((resolve) => (answer = resolve))];
    await userEvent.type(field('Name'), 'Bea{Enter}');
    await expect.poll(() => server.calls.length).toBe(1);
    await userEvent.keyboard('trice{Backspace}');
    await page.getByRole('switch', { name: 'Open' }).click({ force: true });
    await expect.element(field('Name')).toHaveValue('Bea');
    await expect.element(page.getByRole('switch', { name: 'Open' })).toBeChecked();
    await expect.element(form().getByRole('button', { name: 'Cancel' })).toBeEnabled();
    answer(new Response(null, { status: 200 }));
    await expect.element(page.getByText('Bea was saved.')).toBeVisible();
    expect(server.calls[0]?.values).toEqual({ name: 'Bea', note: '', isOpen: true });
  });

  it.each(ways)('by %s: it is asked first', async (_way, leave) => {
    await open();
    await userEvent.type(field('Name'), 'Bea');
    await leave();
    await expect.element(question()).toBeVisible();
    await question().getByRole('button', { name: 'Keep editing' }).click();
    await expect.element(question()).not.toBeInTheDocument();
    await expect.element(field('Name')).toHaveValue('Bea');
    await leave();
    await question().getByRole('button', { name: 'Discard' }).click();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: 'Edit house' })).toHaveFocus();
    await page.getByRole('button', { name: 'Edit house' }).click();
    await expect.element(field('Name')).toHaveValue('');
  });

  it.each(ways)('and nothing is asked where nothing was typed: %s', async (_way, leave) => {
    await open();
    await leave();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });

  it('by navigation: it is asked first', async () => {
    const { screen } = await open();
    await field('Name').fill('Beacon');
    await page.getByRole('button', { name: 'Elsewhere' }).click();
    await expect.element(page.getByText('Leave page? Changes that you made wont be saved.')).toBeVisible();
    await page.getByRole('button', { name: 'Stay' }).click();
    expect(screen.router.state.location.pathname).toBe('/');
    await expect.element(field('Name')).toHaveValue('Beacon');
    await page.getByRole('button', { name: 'Elsewhere' }).click();
    await page.getByRole('button', { name: 'Leave page' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/elsewhere');
  });

  describe('while it is being saved: the question goes when the answer comes', () => {
    const leaving = page.getByRole('dialog', { name: 'Leave page?' });

    /** Saves and asks to leave; the server answers when the test says so. */
    async function leaveWhileSaving() {
      const { server, screen } = await open();
      let answer: (response: Response) => void = () => undefined;
      const promise = new Promise<Response>((resolve) => {
        answer = resolve;
      });
      server.answers = [() => promise];
      await field('Name').fill('Beacon');
      await save().click();
      void screen.router.navigate({ href: '/elsewhere' });
      await expect.element(leaving).toHaveTextContent('has not confirmed yet');
      return { router: screen.router, answer };
    }

    it('a refusal is seen, and nothing is lost', async () => {
      const { router, answer } = await leaveWhileSaving();
      const shown: string[] = [];
      const observer = new MutationObserver(() => shown.push(document.body.textContent));
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      answer(problem(409, 'The site is being deleted.'));
      await expect.element(leaving).not.toBeInTheDocument();
      observer.disconnect();
      // While it fades, it keeps its own words.
      expect(shown.filter((text) => text.includes('wont be saved'))).toEqual([]);
      await expect.element(page.getByRole('alert')).toHaveTextContent('The site is being deleted.');
      await expect.element(field('Name')).toHaveValue('Beacon');
      expect(router.state.location.pathname).toBe('/');
      void router.navigate({ href: '/elsewhere' });
      await leaving.getByRole('button', { name: 'Leave page' }).click();
      await expect.poll(() => router.state.location.pathname).toBe('/elsewhere');
    });

    it('a form that was saved is closed, and the page can be left', async () => {
      const { router, answer } = await leaveWhileSaving();
      answer(new Response());
      await expect.element(page.getByText('Beacon was saved.')).toBeVisible();
      await expect.element(leaving).not.toBeInTheDocument();
      await expect.element(form()).not.toBeInTheDocument();
      expect(router.state.location.pathname).toBe('/');
      await router.navigate({ href: '/elsewhere' });
      expect(router.state.location.pathname).toBe('/elsewhere');
    });
  });

  it.each([
    ['/login', false],
    ['/logout?reason=idle', false],
    ['/logout', true],
  ])('but the end of the session asks nothing: %s', async (href, isAsked) => {
    const { screen } = await open();
    await field('Name').fill('Beacon');
    await expect.element(field('Name')).toHaveValue('Beacon');
    void screen.router.navigate({ href });
    await expect.poll(() => screen.router.state.location.href).toBe(isAsked ? '/' : href);
    await expect
      .poll(() => page.getByText('Leave page? Changes that you made wont be saved.').elements())
      .toHaveLength(isAsked ? 1 : 0);
  });

  it('by closing the tab: the browser asks', async () => {
    const history = createBrowserHistory();
    const mayClose = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await open({ history });
    expect(mayClose()).toBe(true);
    await field('Name').fill('Beacon');
    await expect.poll(mayClose).toBe(false);
    history.destroy();
  });

  it('and nothing is asked when a saved form goes to another page', async () => {
    const { screen } = await open({ leavesPage: true });
    await field('Name').fill('Beacon');
    await save().click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/elsewhere');
  });

  it('while it is not known whether it was saved', async () => {
    const { server } = await open({ isEdit: true });
    server.answers = [() => new NetworkError()];
    await field('Name').fill('Beacon');
    await save().click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('nothing is saved twice');
    await userEvent.keyboard('{Escape}');
    const leave = page.getByRole('dialog', { name: 'Leave this form?' });
    await expect.element(leave).toHaveTextContent('The server has not confirmed yet whether your changes were saved.');
  });
});
