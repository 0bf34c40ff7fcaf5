import { cleanNotifications } from '@mantine/notifications';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { OfflineError } from '@/api/errors';
import { expectNoViolations } from '@/testing/axe';
import { problem } from '@/testing/server';
import { field, HOUSE, type House, open, save } from '@/testing/save-form-world';

afterEach(() => cleanNotifications());

describe('when someone else changes the record meanwhile', () => {
  const theirs: House = { name: 'Cove', note: 'Theirs', isOpen: false, version: 2 };
  const hear = () => page.getByRole('button', { name: 'Hear of changes' }).click();

  it('both versions are shown, and mine is saved over theirs where I typed', async () => {
    const { server } = await open({ isEdit: true });
    await field('Name').fill('Mine');
    server.house = theirs;
    await hear();
    const notice = page.getByRole('alert');
    await expect.element(notice).toHaveTextContent('Someone else changed this in the meantime.');
    await expect.element(notice).toHaveTextContent('NameSaved now: CoveYours: Mine');
    await expect.element(notice).toHaveTextContent('NoteSaved now: Theirs');
    await expect.element(notice).toHaveTextContent('OpenSaved now: Off');
    expect(save().query()).toBeNull();
    await expect.element(field('Name')).toHaveValue('Mine');
    await expect.element(field('Note')).toHaveValue('Theirs');
    await expect.element(page.getByRole('switch', { name: 'Open' })).not.toBeChecked();
    await expectNoViolations();
    await page.getByRole('button', { name: 'Save mine instead' }).click();
    await expect.element(page.getByText('Mine was saved.')).toBeVisible();
    expect(server.calls).toEqual([
      expect.objectContaining({ version: 2, values: { name: 'Mine', note: 'Theirs', isOpen: false } }),
    ]);
  });

  it('a choice that was not sent for want of a network is asked again, with what was typed, also after theirs changed', async () => {
    const { server, screen } = await open({ isEdit: true });
    await field('Name').click();
    await userEvent.keyboard('{End} mine');
    server.house = theirs;
    await hear();
    const notice = page.getByRole('alert').filter({ hasText: 'Someone else changed this' });
    const saveMine = page.getByRole('button', { name: 'Save mine instead' });
    server.answers = [() => new OfflineError(), () => new OfflineError()];
    await saveMine.click();
    await expect.poll(() => server.calls).toHaveLength(1);
    await expect.element(page.getByText('You were offline, so nothing was changed.')).toBeVisible();
    await expect.element(notice).toHaveTextContent('NameSaved now: CoveYours: Anchor mine');
    await expect.element(notice).toHaveTextContent('NoteSaved now: Theirs');
    await expect.element(notice).toHaveFocus();
    expect(save().query()).toBeNull();
    await expect.element(field('Name')).toHaveValue('Anchor mine');
    await expect.element(field('Note')).toHaveValue('Theirs');
    server.house = { ...theirs, name: 'Cove 2', version: 3 };
    await screen.queryClient.invalidateQueries();
    await expect.element(notice).toHaveTextContent('NameSaved now: Cove 2Yours: Anchor mine');
    await expect.element(saveMine).toBeEnabled();
    await saveMine.click();
    await expect.poll(() => server.calls).toHaveLength(2);
    await expect.element(notice).toBeVisible();
    await saveMine.click();
    await expect.element(page.getByText('Anchor mine was saved.')).toBeVisible();
    expect(server.calls.at(-1)).toMatchObject({ version: 3, values: { name: 'Anchor mine', note: 'Theirs' } });
  });

  it('a choice that is refused because of a field leads to that field, and the question stands again', async () => {
    const { server } = await open({ isEdit: true });
    await field('Name').fill('Mine');
    server.house = theirs;
    await hear();
    const errors = [{ pointer: '/title', message: 'Choose another name.' }];
    server.answers = [() => problem(422, 'Check the fields.', { errors })];
    const saveMine = page.getByRole('button', { name: 'Save mine instead' });
    await saveMine.click();
    await expect.element(field('Name')).toHaveAccessibleDescription('Choose another name.');
    await expect.element(saveMine).toBeVisible();
    await expect.element(field('Name')).toHaveFocus();
    await userEvent.keyboard('{End} 2');
    await saveMine.click();
    await expect.element(page.getByText('Mine 2 was saved.')).toBeVisible();
    expect(server.calls.at(-1)).toMatchObject({ version: 2, values: { name: 'Mine 2', note: 'Theirs' } });
  });

  it('what I typed can be given up for theirs', async () => {
    const { server } = await open({ isEdit: true });
    await field('Name').fill('Mine');
    server.house = theirs;
    await hear();
    await page.getByRole('button', { name: 'Use the saved version' }).click();
    await expect.element(field('Name')).toHaveValue('Cove');
    await expect.element(save()).toHaveFocus();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });

  it('giving up a field for theirs keeps what I typed in the others', async () => {
    const { server } = await open({ isEdit: true });
    await field('Name').fill('Mine');
    await field('Note').fill('My note');
    server.house = { ...HOUSE, name: 'Cove', version: 2 };
    await hear();
    await page.getByRole('button', { name: 'Use the saved version' }).click();
    await expect.element(field('Name')).toHaveValue('Cove');
    await expect.element(field('Note')).toHaveValue('My note');
    await save().click();
    await expect.poll(() => server.calls).toHaveLength(1);
    expect(server.calls[0]).toMatchObject({ version: 2, values: { name: 'Cove', note: 'My note' } });
  });

  it('a field that only they changed shows it at once, follows them further, and is mine once I type in it', async () => {
    const { server } = await open({ isEdit: true });
    await field('Note').fill('Mine');
    server.house = { ...HOUSE, name: 'Cove', version: 2 };
    await hear();
    await expect.element(field('Name')).toHaveValue('Cove');
    server.house = { ...HOUSE, name: 'Cove 2', version: 3 };
    await hear();
    await expect.element(field('Name')).toHaveValue('Cove 2');
    await field('Name').click();
    await userEvent.keyboard('{End}b');
    server.house = { ...HOUSE, name: 'Bay 3', version: 4 };
    await hear();
    await expect.element(page.getByRole('alert')).toHaveTextContent('NameSaved now: Bay 3Yours: Cove 2b');
    await expect.element(field('Name')).toHaveValue('Cove 2b');
  });

  it('where they took their change back, nothing is asked, and mine stays', async () => {
    const { server } = await open({ isEdit: true });
    await field('Note').fill('Mine');
    server.house = { ...HOUSE, name: 'Cove', version: 2 };
    await hear();
    await expect.element(page.getByRole('alert')).toBeVisible();
    server.house = { ...HOUSE, version: 3 };
    await hear();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
    await expect.element(field('Name')).toHaveValue(HOUSE.name);
    await expect.element(field('Note')).toHaveValue('Mine');
  });

  it('where we changed different fields, both are in the form, to be edited further or saved', async () => {
    const { server } = await open({ isEdit: true });
    await field('Note').fill('Mine');
    server.house = { ...HOUSE, name: 'Cove', version: 2 };
    await hear();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
    await expect.element(field('Note')).toHaveValue('Mine');
    await save().click();
    await expect.element(page.getByText('Cove was saved.')).toBeVisible();
    expect(server.calls[0]).toMatchObject({ version: 2, values: { name: 'Cove', note: 'Mine' } });
  });

  it('where we changed different fields, both are kept', async () => {
    const { server } = await open({ isEdit: true });
    await field('Note').fill('Mine');
    server.house = { ...HOUSE, name: 'Cove', version: 2 };
    await hear();
    await page.getByRole('button', { name: 'Save mine too' }).click();
    await expect.element(page.getByText('Cove was saved.')).toBeVisible();
    expect(server.calls[0]).toMatchObject({ version: 2, values: { name: 'Cove', note: 'Mine' } });
  });

  it('the form follows without a word while nothing was typed', async () => {
    const { server } = await open({ isEdit: true });
    server.house = theirs;
    await hear();
    await expect.element(field('Name')).toHaveValue('Cove');
    expect(page.getByRole('alert').query()).toBeNull();
    await field('Name').fill('Cove 2');
    await save().click();
    await expect.poll(() => server.calls).toHaveLength(1);
    expect(server.calls[0]).toMatchObject({ version: 2 });
  });

  it('and nothing of this form was changed, what was typed goes on as if nothing was', async () => {
    const { server } = await open({ isEdit: true });
    await field('Name').fill('Mine');
    server.house = { ...HOUSE, version: 2 };
    await hear();
    await expect.element(field('Name')).toHaveValue('Mine');
    await save().click();
    await expect.poll(() => server.calls).toHaveLength(1);
    expect(server.calls[0]).toMatchObject({ version: 2, values: { name: 'Mine' } });
  });

  it('what is typed while the question stands is a part of it, and is kept by Keep editing', async () => {
    const { screen, server } = await open({ isEdit: true });
    await field('Name').fill('Mine');
    server.house = { ...HOUSE, note: 'Theirs', version: 2 };
    await screen.queryClient.invalidateQueries();
    const notice = page.getByRole('alert');
    await expect.element(notice).toHaveTextContent('NoteSaved now: Theirs');
    await expect.element(notice.getByRole('button', { name: 'Keep editing' })).toBeVisible();
    await field('Note').click();
    await userEvent.keyboard('{End}, and mine');
    await expect.element(notice).toHaveTextContent('NoteSaved now: TheirsYours: Theirs, and mine');
    await notice.getByRole('button', { name: 'Save mine instead' }).click();
    await expect.poll(() => server.calls).toHaveLength(1);
    expect(server.calls[0]).toMatchObject({ version: 2, values: { name: 'Mine', note: 'Theirs, and mine' } });
  });

  it('the field that one types in stays in sight; Enter leads to the question', async () => {
    await page.viewport(390, 480);
    const { screen, server } = await open({ isEdit: true });
    const name = field('Name');
    await name.click();
    await userEvent.keyboard('{End}x');
    server.house = { ...HOUSE, name: 'Cove', version: 2 };
    await screen.queryClient.invalidateQueries();
    const notice = page.getByRole('alert');
    await expect.element(notice).toBeInTheDocument();
    await userEvent.keyboard('yz');
    await expect.element(name).toHaveValue('Anchorxyz');
    await expect.element(name).toBeInViewport({ ratio: 1 });
    await userEvent.keyboard('{Enter}');
    await expect.element(notice).toHaveFocus();
    await expect.element(page.getByRole('button', { name: 'Save mine instead' })).toBeInViewport({ ratio: 1 });
    expect(server.calls).toEqual([]);
    await page.viewport(1360, 900);
  });
});
