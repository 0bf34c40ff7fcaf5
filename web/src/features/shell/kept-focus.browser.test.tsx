import { useState } from 'react';
import { flushSync } from 'react-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { publicSettings } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, serve } from '@/testing/server';
import { AppFrame } from './components/app-frame';

const GUESTS = ['Ana', 'Ben', 'Cem'];

beforeEach(() => serve(answerGet('/api/public/settings', publicSettings())));

/** A list in which somebody else decides: `show` draws the guests who are left. */
async function openList() {
  let show: (names: readonly string[]) => void = () => undefined;
  function List() {
    const [names, setNames] = useState<readonly string[]>(GUESTS);
    show = (left) => flushSync(() => setNames(left));
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
  return { focusOn, show: (left: readonly string[]) => show(left) };
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
