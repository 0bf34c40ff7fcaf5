import { Button } from '@mantine/core';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderView } from '@/testing/render';
import { SubmitButton } from './submit-button';

interface WorkProps {
  send: () => Promise<unknown>;
  isSubmit?: boolean;
}

/** A form whose work can be refused: its button is pressed, or Enter in its field. */
function Work({ send, isSubmit = false }: WorkProps) {
  const [isWorking, setWorking] = useState(false);
  const run = () => {
    setWorking(true);
    void send().finally(() => setWorking(false));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <input aria-label="Name" />
      {isSubmit ? (
        <SubmitButton loading={isWorking}>Save</SubmitButton>
      ) : (
        <Button loading={isWorking} onClick={run}>
          Save
        </Button>
      )}
    </form>
  );
}

const button = page.getByRole('button', { name: 'Save' });
const sends = [
  ['a submit button', true],
  ['another button', false],
] as const;

/** Renders the form, whose work ends when it is told to. */
async function open(isSubmit: boolean) {
  const ends: (() => void)[] = [];
  const send = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  await renderView(<Work send={send} isSubmit={isSubmit} />);
  const end = async () => {
    ends.shift()?.();
    await expect.element(button).not.toHaveAttribute('data-loading');
  };
  return { send, end };
}

it.each(sends)('%s keeps the focus while its work runs, and afterwards', async (_, isSubmit) => {
  const { send, end } = await open(isSubmit);
  await button.click();
  await expect.element(button).toHaveAttribute('data-loading');
  await expect.element(button).toHaveFocus();
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await end();
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(send).toHaveBeenCalledTimes(2);
});

it.each(sends)('%s ignores presses while its work runs: a double click, Enter and Space', async (_, isSubmit) => {
  const { send, end } = await open(isSubmit);
  await button.dblClick();
  await expect.element(button).toHaveAttribute('data-loading');
  await userEvent.keyboard('{Enter}{Enter} ');
  await button.click({ force: true });
  await page.getByRole('textbox').click();
  if (isSubmit) await userEvent.keyboard('{Enter}{Enter}');
  expect(send).toHaveBeenCalledTimes(1);
  await end();
  expect(send).toHaveBeenCalledTimes(1);
});

it.each(sends)('%s whose Enter is held sends once, though the answer comes meanwhile', async (_, isSubmit) => {
  const send = vi.fn(() => Promise.resolve());
  await renderView(<Work send={send} isSubmit={isSubmit} />);
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter>9/}');
  expect(send).toHaveBeenCalledTimes(1);
  await userEvent.keyboard('{Enter}');
  expect(send).toHaveBeenCalledTimes(2);
});

it('a form is sent once though Enter is held in its field and the answer comes meanwhile', async () => {
  const send = vi.fn(() => Promise.resolve());
  await renderView(<Work send={send} isSubmit />);
  await page.getByRole('textbox').click();
  await userEvent.keyboard('{Enter>9/}');
  expect(send).toHaveBeenCalledTimes(1);
  await userEvent.keyboard('{Enter}');
  expect(send).toHaveBeenCalledTimes(2);
});
