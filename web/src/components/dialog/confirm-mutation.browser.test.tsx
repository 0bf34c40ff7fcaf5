import { Button } from '@mantine/core';
import { createBrowserHistory } from '@tanstack/react-router';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { apiErrorOf, NetworkError } from '@/api/errors';
import { lastUnsaved, wasUnconfirmed } from '@/lib/session-end';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { ConfirmMutation } from './confirm-mutation';

const notFound = () => apiErrorOf(new Response(null, { status: 404 }), { message: 'No such house.' });
const refused = () => apiErrorOf(new Response(null, { status: 409 }), { message: 'A guest is in this house.' });

type Props = Partial<Parameters<typeof ConfirmMutation<string, unknown>>[0]>;

function Asking(props: Props) {
  const [subject, setSubject] = useState<string | null>(null);
  return (
    <>
      <Button onClick={() => setSubject('House 2')}>Delete</Button>
      <ConfirmMutation<string, unknown>
        danger
        title={(name) => `Delete ${name}?`}
        confirmLabel="Delete it"
        done={(name) => `${name} was deleted.`}
        run={() => Promise.resolve()}
        {...props}
        subject={subject}
        onClose={() => {
          props.onClose?.();
          setSubject(null);
        }}
      />
    </>
  );
}

const dialog = page.getByRole('dialog', { name: 'Delete House 2?' });
const confirm = dialog.getByRole('button', { name: 'Delete it' });

async function ask(props: Props, options?: Parameters<typeof renderView>[1]) {
  await renderView(<Asking {...props} />, options);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.element(dialog).toBeVisible();
}

const unauthorized = () => apiErrorOf(new Response(null, { status: 401 }), { message: 'Please sign in.' });

describe('a question whose answer is sent', () => {
  it('was not carried out if the session had ended, and nobody knows if the first answer was lost', async () => {
    const run = vi.fn().mockRejectedValueOnce(unauthorized()).mockRejectedValueOnce(new NetworkError());
    run.mockRejectedValueOnce(unauthorized());
    await ask({ run });
    await confirm.click();
    await expect.poll(lastUnsaved).toBe('change');
    expect(wasUnconfirmed()).toBe(false);
    await confirm.click();
    await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2));
    await expect.element(confirm).toBeEnabled();
    await confirm.click();
    await expect.poll(wasUnconfirmed).toBe(true);
  });

  it('runs once for two presses, cannot be closed meanwhile, and tells that it is done', async () => {
    let answer = () => undefined as void;
    const run = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
    const onClose = vi.fn<() => void>();
    await ask({ run, onClose });
    const button = confirm.element() as HTMLElement;
    button.click();
    button.click();
    await userEvent.keyboard('{Escape}');
    // A dialog that fades out is visible, too.
    expect(onClose).not.toHaveBeenCalled();
    answer();
    await expect.element(page.getByText('House 2 was deleted.')).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('keeps the focus on its button while it runs and after a refusal, and runs once for Enter pressed twice', async () => {
    let refuse = () => undefined as void;
    const run = vi.fn(() => new Promise<void>((_, reject) => (refuse = () => reject(refused()))));
    await ask({ run });
    // The dialog gives it the focus a moment after it is visible.
    await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    (confirm.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}{Enter}');
    await expect.element(confirm).toHaveAttribute('data-loading');
    await expect.element(confirm).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    refuse();
    await expect.element(dialog.getByRole('alert')).toBeVisible();
    await expect.element(confirm).toHaveFocus();
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('keeps a refusal in place, and forgets it with the question', async () => {
    const run = vi.fn<() => Promise<void>>().mockRejectedValueOnce(refused()).mockResolvedValue();
    await ask({ run });
    await confirm.click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('A guest is in this house.');
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect.element(dialog).toBeVisible();
    await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
  });

  it('takes "not found" for success after an answer was lost, and for nothing else', async () => {
    const run = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(notFound())
      .mockRejectedValueOnce(new NetworkError())
      .mockRejectedValue(notFound());
    await ask({ run, removes: true });
    await confirm.click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('This does not exist');
    await confirm.click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('The server cannot be reached');
    await confirm.click();
    await expect.element(page.getByText('House 2 was deleted.')).toBeVisible();
  });

  it('may ask for a word, typed exactly, and send a note', async () => {
    const run = vi.fn((_subject: string, _note: string) => Promise.resolve());
    await ask({
      run,
      needsWord: true,
      note: { label: 'Feedback', description: 'Optional.', maxLength: 10 },
    });
    const word = dialog.getByRole('textbox', { name: 'Type DELETE to confirm' });
    await word.click();
    await userEvent.keyboard('delete{Enter}');
    await expect.element(confirm).toBeDisabled();
    expect(run).not.toHaveBeenCalled();
    await dialog.getByRole('textbox', { name: 'Feedback' }).fill(' Moved. ');
    await word.fill('DELETE');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('House 2 was deleted.')).toBeVisible();
    expect(run).toHaveBeenCalledWith('House 2', 'Moved.', undefined);
  });

  it('asks before a typed note is lost by leaving the page, and no longer once it is sent', async () => {
    const history = createBrowserHistory();
    const mayClose = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    let answer = () => undefined as void;
    const run = () => new Promise<void>((resolve) => (answer = resolve));
    await ask({ run, note: { label: 'Feedback', description: 'Optional.', maxLength: 10 } }, { history });
    expect(mayClose()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Feedback' }).fill('Moved.');
    await expect.poll(mayClose).toBe(false);
    await confirm.click();
    await expect.poll(mayClose).toBe(true);
    answer();
    await expect.element(page.getByText('House 2 was deleted.')).toBeVisible();
    history.destroy();
  });

  it('sends nothing without a note that is required, and leads to it', async () => {
    const run = vi.fn((_subject: string, _note: string) => Promise.resolve());
    const note = { label: 'Reason', description: 'All can read it.', maxLength: 10, missing: 'Please enter a reason.' };
    await ask({ run, note });
    const field = dialog.getByRole('textbox', { name: 'Reason' });
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard(' ');
    await confirm.click();
    await expect.element(dialog.getByText('Please enter a reason.')).toBeVisible();
    await expect.element(field).toHaveFocus();
    expect(run).not.toHaveBeenCalled();
    await userEvent.keyboard('Ill');
    await confirm.click();
    await expect.poll(() => run.mock.calls).toEqual([['House 2', 'Ill', undefined]]);
  });

  it('stays when the user gave up on the way', async () => {
    await ask({ run: () => Promise.resolve(false) });
    await confirm.click();
    await expect.element(confirm).toBeEnabled();
    await expect.element(dialog).toBeVisible();
  });

  it('offers to take it back', async () => {
    const back = vi.fn<(subject: string, result: unknown) => void>();
    await ask({ run: () => Promise.resolve('stay 7'), undo: (subject, result) => () => back(subject, result) });
    await confirm.click();
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(back).toHaveBeenCalledWith('House 2', 'stay 7');
  });
});
