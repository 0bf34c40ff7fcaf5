import { cleanNotifications } from '@mantine/notifications';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { NetworkError } from '@/api/errors';
import { field, open, save } from '@/testing/save-form-world';
import { problem } from '@/testing/server';

afterEach(() => cleanNotifications());

describe('a form in which nothing was changed', () => {
  it('closes without a save and without a message', async () => {
    const { server } = await open({ isEdit: true });
    await field('Name').fill('Beacon');
    await field('Name').fill('Anchor');
    await save().click();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    expect(page.getByText('Anchor was saved.').query()).toBeNull();
    expect(server.calls).toEqual([]);
  });

  it('leads where a save leads', async () => {
    const { server, screen } = await open({ isEdit: true, leavesPage: true });
    await save().click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/elsewhere');
    expect(server.calls).toEqual([]);
  });

  it('is saved all the same while it is not known whether it was saved before', async () => {
    const { server } = await open({ isEdit: true });
    server.answers = [() => new NetworkError()];
    await field('Name').fill('Beacon');
    await save().click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('nothing is saved twice');
    await field('Name').fill('Anchor');
    await save().click();
    await expect.element(page.getByText('Anchor was saved.')).toBeVisible();
    expect(server.calls).toHaveLength(2);
  });
});

it('a form keeps the focus on its button while it is saved and after a refusal, and is sent once for Enter pressed twice', async () => {
  const { server } = await open();
  let refuse = () => undefined as void;
  server.answers = [
    () => new Promise((resolve) => (refuse = () => resolve(problem(409, 'The site is being deleted.')))),
  ];
  await field('Name').fill('Beacon');
  await userEvent.tab();
  (save().element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.element(save()).toHaveAttribute('data-loading');
  await expect.element(save()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  refuse();
  await expect.element(page.getByRole('alert')).toHaveTextContent('The site is being deleted.');
  await expect.element(save()).toHaveFocus();
  expect(server.calls).toHaveLength(1);
});
