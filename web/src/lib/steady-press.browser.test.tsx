import { useState } from 'react';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { pointerAt } from '@/testing/click-at';
import { renderView } from '@/testing/render';
import { steadyPress } from './steady-press';

/** Guests of whom one goes with each press, and the next one moves up to the place of the pressed. */
function Row({ onPress }: { onPress: (name: string) => void }) {
  const [names, setNames] = useState(['Ana', 'Ben', 'Cora']);
  return (
    <ul {...steadyPress} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {names.map((name) => (
        <li key={name}>
          <button
            type="button"
            style={{ height: 44, width: 200 }}
            onClick={() => {
              onPress(name);
              setNames((before) => before.filter((other) => other !== name));
            }}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

async function open() {
  const pressed: string[] = [];
  const screen = await renderView(<Row onPress={(name) => pressed.push(name)} />);
  const button = (name: string) => screen.getByRole('button', { name }).element();
  return { pressed, screen, button };
}

it('a double click acts for the row that was under the pointer at first, not for the one that moved up', async () => {
  const { pressed, button } = await open();
  await userEvent.dblClick(button('Ana'));
  expect(pressed).toEqual(['Ana']);
});

it('the second half of a double click does not act again for a row that is still there', async () => {
  const pressed: string[] = [];
  const screen = await renderView(
    <button type="button" onClick={() => pressed.push('Ana')} {...steadyPress}>
      Ana
    </button>,
  );
  const button = screen.getByRole('button', { name: 'Ana' });
  await userEvent.dblClick(button);
  expect(pressed).toEqual(['Ana']);
  const tap = pointerAt(50, 20, 'touch');
  tap(button.element(), 0);
  tap(button.element(), 60);
  expect(pressed).toEqual(['Ana', 'Ana']);
});

it('a third click of a series does not act for another row, either', async () => {
  const { pressed, screen, button } = await open();
  const click = pointerAt();
  click(button('Ana'), 0);
  await expect.element(screen.getByRole('button', { name: 'Ana' })).not.toBeInTheDocument();
  click(button('Ben'), 400);
  click(button('Ben'), 800);
  expect(pressed).toEqual(['Ana']);
});

it('a second tap does not act for another row, though the browser does not count taps', async () => {
  const { pressed, screen, button } = await open();
  const tap = pointerAt(50, 20, 'touch');
  tap(button('Ana'), 0);
  await expect.element(screen.getByRole('button', { name: 'Ana' })).not.toBeInTheDocument();
  tap(button('Ben'), 300);
  expect(pressed).toEqual(['Ana']);
});

it('a click of its own at the same place is meant, however soon it comes', async () => {
  const { pressed, button } = await open();
  await userEvent.click(button('Ana'), { position: { x: 20, y: 20 } });
  await userEvent.click(button('Ben'), { position: { x: 20, y: 20 } });
  expect(pressed).toEqual(['Ana', 'Ben']);
});

it('a second click half a second later is meant', async () => {
  const { pressed, screen, button } = await open();
  const click = pointerAt();
  click(button('Ana'), 0);
  await expect.element(screen.getByRole('button', { name: 'Ana' })).not.toBeInTheDocument();
  click(button('Ben'), 500);
  expect(pressed).toEqual(['Ana', 'Ben']);
});

it('a second click at another place is meant', async () => {
  const { pressed, screen, button } = await open();
  pointerAt()(button('Ana'), 60_000);
  await expect.element(screen.getByRole('button', { name: 'Ana' })).not.toBeInTheDocument();
  pointerAt(50, 64)(button('Cora'), 100);
  expect(pressed).toEqual(['Ana', 'Cora']);
});

it('a key presses again at once', async () => {
  const { pressed, button } = await open();
  await userEvent.click(button('Ana'));
  (button('Ben') as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  expect(pressed).toEqual(['Ana', 'Ben']);
});

it('the second half of a double click does not give the focus to a field that has moved there', async () => {
  function Turns() {
    const [isTurned, setTurned] = useState(false);
    if (isTurned) return <input aria-label="Type of client" style={{ height: 44, width: 200 }} />;
    return (
      <button type="button" style={{ height: 44, width: 200 }} onClick={() => setTurned(true)} {...steadyPress}>
        Add to waitlist
      </button>
    );
  }
  const screen = await renderView(<Turns />);
  await screen.getByRole('button', { name: 'Add to waitlist' }).dblClick();
  await expect.element(screen.getByRole('textbox', { name: 'Type of client' })).not.toHaveFocus();
  await screen.getByRole('textbox', { name: 'Type of client' }).click({ position: { x: 150, y: 40 } });
  await expect.element(screen.getByRole('textbox', { name: 'Type of client' })).toHaveFocus();
});
