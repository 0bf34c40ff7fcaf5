import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { useShortcut } from './use-shortcut';

interface KeysProps {
  on: Readonly<Record<string, () => void>>;
  children?: React.ReactNode;
}

function Key({ keys, press, inDialogs = false }: { keys: string; press: () => void; inDialogs?: boolean }) {
  useShortcut(keys, press, { inDialogs });
  return null;
}

/** Listens to each of the keys; one with a `!` in dialogs, too. */
function Keys({ on, children }: KeysProps) {
  return (
    <>
      {Object.entries(on).map(([keys, press]) => (
        <Key key={keys} keys={keys.replace('!', '')} press={press} inDialogs={keys.endsWith('!')} />
      ))}
      {children}
    </>
  );
}

const press = () => vi.fn<() => void>();

describe('a shortcut', () => {
  it('is one key, or two after one another', async () => {
    const on = { a: press(), '?': press(), 'g t': press(), 'g a': press() };
    await renderView(<Keys on={on} />);
    await userEvent.keyboard('a');
    expect(on.a).toHaveBeenCalledTimes(1);
    await userEvent.keyboard('{Shift>}?{/Shift}');
    expect(on['?']).toHaveBeenCalledTimes(1);
    await userEvent.keyboard('gt');
    expect(on['g t']).toHaveBeenCalledTimes(1);
    await userEvent.keyboard('ga');
    expect(on['g a']).toHaveBeenCalledTimes(1);
    expect(on.a).toHaveBeenCalledTimes(1);
  });

  it('is not the second key of a sequence that does not exist', async () => {
    const on = { d: press(), 'g t': press() };
    await renderView(<Keys on={on} />);
    await userEvent.keyboard('gd');
    expect(on.d).not.toHaveBeenCalled();
    await userEvent.keyboard('d');
    expect(on.d).toHaveBeenCalledTimes(1);
  });

  it.each(['Control', 'Alt', 'Meta', 'Shift'])('is not meant with %s', async (modifier) => {
    const on = { a: press() };
    await renderView(<Keys on={on} />);
    await userEvent.keyboard(`{${modifier}>}a{/${modifier}}`);
    expect(on.a).not.toHaveBeenCalled();
  });

  it('may be a key with Ctrl', async () => {
    const on = { 'mod+k': press(), k: press() };
    await renderView(<Keys on={on} />);
    await userEvent.keyboard('{Control>}k{/Control}');
    expect(on['mod+k']).toHaveBeenCalledTimes(1);
    expect(on.k).not.toHaveBeenCalled();
  });

  it.each([
    ['a field', <input key="field" aria-label="Field" />],
    ['a text area', <textarea key="field" aria-label="Field" />],
    [
      'a choice',
      <select key="field" aria-label="Field">
        <option>a</option>
      </select>,
    ],
    [
      'an editable part',
      <div key="field" contentEditable suppressContentEditableWarning role="textbox" tabIndex={0} aria-label="Field">
        text
      </div>,
    ],
  ])('does nothing while somebody types in %s', async (_, field) => {
    const on = { a: press(), '?': press() };
    const screen = await renderView(<Keys on={on}>{field}</Keys>);
    (screen.getByLabelText('Field').element() as HTMLElement).focus();
    await userEvent.keyboard('a?');
    expect(on.a).not.toHaveBeenCalled();
    expect(on['?']).not.toHaveBeenCalled();
  });

  it('works on a radio button, which takes no letters', async () => {
    const on = { a: press() };
    const screen = await renderView(
      <Keys on={on}>
        <input type="radio" aria-label="Bed b" />
      </Keys>,
    );
    await screen.getByRole('radio').click();
    await userEvent.keyboard('a');
    expect(on.a).toHaveBeenCalledTimes(1);
  });

  it('does nothing while a dialog is open, unless asked; and nothing at all behind a menu', async () => {
    const on = { a: press(), 'z!': press() };
    const screen = await renderView(
      <Keys on={on}>
        <div role="dialog" aria-label="Question" />
      </Keys>,
    );
    await userEvent.keyboard('az');
    expect(on.a).not.toHaveBeenCalled();
    expect(on['z!']).toHaveBeenCalledTimes(1);
    await screen.unmount();
    await renderView(
      <Keys on={on}>
        <div role="menu" />
      </Keys>,
    );
    await userEvent.keyboard('az');
    expect(on.a).not.toHaveBeenCalled();
    expect(on['z!']).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['none', '', [1, 1, 1, 1]],
    ['one', 'accept', [0, 1, 1, 1]],
    ['one that is two keys', 'decline today', [1, 0, 0, 1]],
    ['all but those with Ctrl', 'accept all', [0, 0, 0, 1]],
  ] as const)('can be turned off: %s', async (_, off, calls) => {
    const on = { a: press(), d: press(), 'g t': press(), 'mod+k': press() };
    const user = currentUser({ views: { 'setting.shortcuts-off': off } });
    await renderView(<Keys on={on} />, { user });
    await userEvent.keyboard('adgt{Control>}k{/Control}');
    expect(Object.values(on).map((one) => one.mock.calls.length)).toEqual(calls);
  });

  it('belongs to the newest part of the screen that wants it, and is gone with it', async () => {
    const [below, above] = [press(), press()];
    const view = (
      <>
        <Key keys="a" press={below} />
        <Key keys="a" press={above} />
      </>
    );
    const screen = await renderView(view);
    await userEvent.keyboard('a');
    expect([below, above].map((one) => one.mock.calls.length)).toEqual([0, 1]);
    await screen.unmount();
    await userEvent.keyboard('a');
    expect([below, above].map((one) => one.mock.calls.length)).toEqual([0, 1]);
  });
});
