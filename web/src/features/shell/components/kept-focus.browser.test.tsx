import { Menu } from '@mantine/core';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Dialog } from '@/components/dialog/dialog';
import { toast } from '@/components/toast';
import { noteUserShown, tellUserForgotten } from '@/lib/session-end';
import { publicSettings } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, serve } from '@/testing/server';
import { AppFrame } from './app-frame';
import { KeptFocus } from './kept-focus';

/** Draws a button that is in no list. */
const ONE: readonly string[] = ['one'];
const GUESTS = ['Ana', 'Ben', 'Cem'];

beforeEach(() => serve(answerGet('/api/public/settings', publicSettings())));

/** A list in which somebody else decides: `show` draws the guests who are left. */
async function openList() {
  let show: (names: readonly string[]) => void = () => undefined;
  let decide = () => undefined as void;
  function List() {
    const [names, setNames] = useState<readonly string[]>(GUESTS);
    const [isDecided, setDecided] = useState(false);
    show = (left) => flushSync(() => setNames(left));
    decide = () => flushSync(() => setDecided(true));
    if (isDecided) return <p>Declined.</p>;
    if (names === ONE) return <button type="button">Accept one</button>;
    if (names.length === 0) return <p>Nobody waits.</p>;
    return (
      <ul>
        {names.map((name) => (
          <li key={name}>
            <button type="button">Accept {name}</button>
          </li>
        ))}
      </ul>
    );
  }
  const screen = await renderView(
    <AppFrame liveStatus="live" onExplain={vi.fn()}>
      <h1 data-page-heading tabIndex={-1}>
        Reservations
      </h1>
      <List />
    </AppFrame>,
  );
  const focusOn = (name: string) =>
    (screen.getByRole('button', { name: `Accept ${name}` }).element() as HTMLElement).focus();
  await expect.element(screen.getByRole('button', { name: 'Accept Ana' })).toBeVisible();
  // The code comes after the frame.
  const isLoaded = async () => {
    show(GUESTS);
    focusOn('Ana');
    show(['Ben', 'Cem']);
    await new Promise(requestAnimationFrame);
    return document.activeElement !== document.body;
  };
  await expect.poll(isLoaded).toBe(true);
  show(GUESTS);
  return { focusOn, show: (left: readonly string[]) => show(left), decide: () => decide() };
}

const focused = () => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`;

it('gives the focus of a row that somebody else takes away to the next row, never to its button', async () => {
  const { focusOn, show } = await openList();
  focusOn('Ben');
  show(['Ana', 'Cem']);
  await expect.poll(focused).toBe('LI Accept Cem');
  show(['Ana']);
  await expect.poll(focused).toBe('LI Accept Ana');
  show([]);
  await expect.poll(focused).toBe('H1 Reservations');
});

it('gives the screen the focus of a button in no list that somebody else takes away', async () => {
  const { focusOn, show, decide } = await openList();
  show(ONE);
  focusOn('one');
  decide();
  await expect.poll(focused).toBe('H1 Reservations');
});

it('leaves the focus to the browser when the user has pressed the button that goes', async () => {
  const { focusOn, show, decide } = await openList();
  show(ONE);
  focusOn('one');
  (document.activeElement as HTMLElement).click();
  decide();
  await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(document.body);
});

/** A dialog whose content somebody else can end. */
async function openDialog() {
  let end = () => undefined as void;
  function Question() {
    const [isEnded, setEnded] = useState(false);
    end = () => flushSync(() => setEnded(true));
    if (isEnded) return <p>Declined.</p>;
    return (
      <>
        <button type="button">Accept into this bed</button>
        <input type="radio" aria-label="Bed a" />
      </>
    );
  }
  const screen = await renderView(
    <>
      <KeptFocus />
      <Dialog subject title="Accept Ana" onClose={() => undefined}>
        <Question />
      </Dialog>
    </>,
  );
  await expect.element(screen.getByRole('button', { name: 'Close' })).toHaveFocus();
  return { screen, end: () => end() };
}

it('gives an open dialog the focus of what somebody else takes away in it', async () => {
  const { screen, end } = await openDialog();
  (screen.getByRole('button', { name: 'Accept into this bed' }).element() as HTMLElement).focus();
  end();
  await expect.element(screen.getByRole('dialog', { name: 'Accept Ana' })).toHaveFocus();
});

it.each(['key', 'mouse'])('does so for a button that was pressed by %s', async (by) => {
  const { screen, end } = await openDialog();
  const button = screen.getByRole('button', { name: 'Accept into this bed' });
  (button.element() as HTMLElement).focus();
  await (by === 'key' ? userEvent.keyboard('{Enter}') : button.click());
  end();
  await expect.element(screen.getByRole('dialog', { name: 'Accept Ana' })).toHaveFocus();
});

it.each([
  ['once', 1],
  ['twice', 2],
])('does so for a choice that was pressed %s, which keeps the focus', async (_, times) => {
  const { screen, end } = await openDialog();
  for (let time = 0; time < times; time += 1) await screen.getByRole('radio', { name: 'Bed a' }).click();
  await expect.element(screen.getByRole('radio', { name: 'Bed a' })).toHaveFocus();
  end();
  await expect.element(screen.getByRole('dialog', { name: 'Accept Ana' })).toHaveFocus();
});

/** A list of guests with a menu and a question each. */
async function openRows() {
  let show: (names: readonly string[]) => void = () => undefined;
  function Rows() {
    const [names, setNames] = useState<readonly string[]>(GUESTS);
    const [asked, setAsked] = useState<string | null>(null);
    show = (left) => flushSync(() => setNames(left));
    return (
      <main>
        <h1 data-page-heading tabIndex={-1}>
          Guests
        </h1>
        <ul>
          {names.map((name) => (
            <li key={name}>
              <button type="button" onClick={() => setAsked(name)}>
                Ask about {name}
              </button>
              <Menu>
                <Menu.Target>
                  <button type="button">Actions for {name}</button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item>Discharge</Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </li>
          ))}
        </ul>
        <Dialog subject={asked} title="Discharge?" onClose={() => setAsked(null)} />
      </main>
    );
  }
  const screen = await renderView(
    <>
      <KeptFocus />
      <Rows />
    </>,
  );
  return { screen, show: (left: readonly string[]) => show(left) };
}

it('gives the next row the focus of an open menu whose row somebody else takes away', async () => {
  const { screen, show } = await openRows();
  await screen.getByRole('button', { name: 'Actions for Ben' }).click();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(screen.getByRole('menuitem', { name: 'Discharge' })).toHaveFocus();
  show(['Ana', 'Cem']);
  await expect.poll(focused).toBe('LI Ask about CemActions for Cem');
});

it('leaves the focus to a menu that is closed', async () => {
  const { screen } = await openRows();
  await screen.getByRole('button', { name: 'Actions for Ben' }).click();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(screen.getByRole('menuitem', { name: 'Discharge' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('menuitem', { name: 'Discharge' })).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Actions for Ben' })).toHaveFocus();
});

it('gives the next row the focus when a dialog is closed whose row somebody else has taken away', async () => {
  const { screen, show } = await openRows();
  await screen.getByRole('button', { name: 'Ask about Ben' }).click();
  await expect.element(screen.getByRole('dialog')).toBeVisible();
  show(['Ana', 'Cem']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(focused).toBe('LI Ask about CemActions for Cem');
});

it('gives the next row the focus when the row goes from which a dialog was opened and closed', async () => {
  const { screen, show } = await openRows();
  await screen.getByRole('button', { name: 'Ask about Ben' }).click();
  await expect.element(screen.getByRole('dialog')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('button', { name: 'Ask about Ben' })).toHaveFocus();
  show(['Ana', 'Cem']);
  await expect.poll(focused).toBe('LI Ask about CemActions for Cem');
});

it('gives the screen the focus of a message that ends', async () => {
  await openList();
  toast.success('Declined.', { undo: { onUndo: () => undefined } });
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect.element(undo).toBeVisible();
  (undo.element() as HTMLElement).focus();
  tellUserForgotten();
  noteUserShown();
  await expect.poll(focused).toBe('H1 Reservations');
});

it('leaves the focus alone that the user has taken away, and that is elsewhere', async () => {
  const { focusOn, show } = await openList();
  focusOn('Ben');
  document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  (document.activeElement as HTMLElement).blur();
  show(['Ana', 'Cem']);
  await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(document.body);
  focusOn('Cem');
  show(['Cem']);
  await new Promise(requestAnimationFrame);
  expect(focused()).toBe('BUTTON Accept Cem');
});
