import { useState } from 'react';
import { flushSync } from 'react-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
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

it('gives an open dialog the focus of what somebody else takes away in it', async () => {
  let end = () => undefined as void;
  function Question() {
    const [isEnded, setEnded] = useState(false);
    end = () => flushSync(() => setEnded(true));
    return isEnded ? <p>Declined.</p> : <button type="button">Accept into this bed</button>;
  }
  const screen = await renderView(
    <>
      <KeptFocus />
      <Dialog subject title="Accept Ana" onClose={() => undefined}>
        <Question />
      </Dialog>
    </>,
  );
  const accept = screen.getByRole('button', { name: 'Accept into this bed' });
  await expect.element(screen.getByRole('button', { name: 'Close' })).toHaveFocus();
  (accept.element() as HTMLElement).focus();
  end();
  await expect.element(screen.getByRole('dialog', { name: 'Accept Ana' })).toHaveFocus();
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
