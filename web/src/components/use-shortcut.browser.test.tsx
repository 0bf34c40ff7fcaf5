import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { renderView } from '@/testing/render';
import { Dialog } from './dialog/dialog';
import { useShortcut } from './use-shortcut';

interface PartProps {
  keys: string;
  onPress: () => void;
  options?: Parameters<typeof useShortcut>[2];
}

function Part({ keys, onPress, options }: PartProps) {
  const [isOpen, setOpen] = useState(false);
  useShortcut(keys, onPress, options);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <input aria-label="Field" />
      <div contentEditable role="textbox" aria-label="Text" tabIndex={0} />
      <Dialog subject={isOpen} title="Dialog" onClose={() => setOpen(false)} />
    </>
  );
}

it('a key is no shortcut while the user types or a dialog is open', async () => {
  const press = vi.fn();
  const screen = await renderView(<Part keys="/" onPress={press} />);
  for (const name of ['Field', 'Text']) {
    await screen.getByRole('textbox', { name }).click();
    await userEvent.keyboard('/');
    expect(press).not.toHaveBeenCalled();
  }
  await screen.getByRole('button', { name: 'Open' }).click();
  await expect.element(screen.getByRole('dialog')).toBeVisible();
  await userEvent.keyboard('/');
  expect(press).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await userEvent.keyboard('/');
  expect(press).toHaveBeenCalledOnce();
});

it('Ctrl or the command key with a letter is another shortcut than the letter, and may be pressed while typing', async () => {
  const press = vi.fn();
  const screen = await renderView(<Part keys="mod+k" onPress={press} options={{ whileTyping: true }} />);
  await screen.getByRole('textbox', { name: 'Field' }).click();
  await userEvent.keyboard('k');
  expect(press).not.toHaveBeenCalled();
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard('{Meta>}k{/Meta}');
  expect(press).toHaveBeenCalledTimes(2);
});

it('a sequence needs its keys in order', async () => {
  const press = vi.fn();
  await renderView(<Part keys="g t" onPress={press} />);
  await userEvent.keyboard('t');
  await userEvent.keyboard('gxt');
  expect(press).not.toHaveBeenCalled();
  await userEvent.keyboard('ggt');
  expect(press).toHaveBeenCalledOnce();
});
