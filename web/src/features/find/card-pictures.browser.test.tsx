import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import type { CardUpload } from './card-upload';
import { CardPictures } from './components/card-pictures';

const NOW = Date.parse('2026-11-23T12:00:00Z');

function Cards({ now = NOW }: { now?: number }) {
  const [cards, setCards] = useState<CardUpload>({ id: 'r1', until: NOW + 60_000, sent: [] });
  return (
    <CardPictures
      cards={cards}
      now={now}
      onSent={(sides) => setCards((before) => ({ ...before, sent: [...new Set([...before.sent, ...sides])] }))}
    />
  );
}

/** A photo of a size that is sent as it is. */
const photo = (name: string, type = 'image/jpeg') => new File(['x'], name, { type });

/** A server that answers uploads, each refusal once; returns what was sent. */
function serveCards(...refusals: (() => Response)[]): string[][] {
  const sent: string[][] = [];
  serve(
    http.post('/api/public/reservations/r1/cards', async ({ request }) => {
      const form = await request.formData();
      sent.push([...form].map(([side, file]) => `${side}: ${(file as File).name}`));
      return refusals.shift()?.() ?? new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

it('both sides of the insurance card are chosen, shown and sent together', async () => {
  const sent = serveCards();
  const screen = await renderView(<Cards />);
  await screen.getByRole('button', { name: 'Send pictures' }).click();
  await expect.element(screen.getByText('Please choose a picture.')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Choose a picture: Front of the card' })).toHaveFocus();
  await userEvent.upload(screen.getByLabelText('Front of the card', { exact: true }), photo('front.jpg'));
  await userEvent.upload(screen.getByLabelText('Back of the card', { exact: true }), photo('back.png', 'image/png'));
  await expect.element(screen.getByRole('img', { name: 'Back of the card, the picture you chose' })).toBeVisible();
  await expectNoViolations(screen.container);
  await screen.getByRole('button', { name: 'Send pictures' }).click();
  await expect.element(screen.getByText('Both sides of your card were sent.')).toHaveFocus();
  await expect.element(screen.getByRole('button', { name: 'Send pictures' })).not.toBeInTheDocument();
  expect(sent).toEqual([['front: front.jpg', 'back: back.png']]);
});

it('a file that is no picture is refused at its side before it is sent, and one that the server refuses after', async () => {
  const message = 'File "torn.jpg" could not be read as an image. Please choose another one.';
  const sent = serveCards(() => problem(422, message, { errors: [{ pointer: '/back', message }] }));
  const screen = await renderView(<Cards />);
  const back = screen.getByLabelText('Back of the card', { exact: true });
  await userEvent.upload(back, photo('card.svg', 'image/svg+xml'));
  const choose = screen.getByRole('button', { name: 'Choose a picture: Back of the card' });
  await expect.element(choose).toHaveAccessibleDescription(/^Invalid file type/);
  await userEvent.upload(back, photo('torn.jpg'));
  await screen.getByRole('button', { name: 'Send pictures' }).click();
  const replace = screen.getByRole('button', { name: 'Replace: Back of the card' });
  await expect.element(replace).toHaveAccessibleDescription(message);
  await expect.element(replace).toHaveFocus();
  await userEvent.upload(back, photo('whole.jpg'));
  await screen.getByRole('button', { name: 'Send pictures' }).click();
  await expect.element(screen.getByText('The back of your card was sent.')).toBeVisible();
  expect(sent).toEqual([['back: torn.jpg'], ['back: whole.jpg']]);
});

it('when the time for pictures is over, the page says so', async () => {
  serveCards(() => problem(404, 'Not found.'));
  const early = await renderView(<Cards />);
  await userEvent.upload(early.getByLabelText('Front of the card', { exact: true }), photo('front.jpg'));
  await early.getByRole('button', { name: 'Send pictures' }).click();
  await expect.element(early.getByText(/^Pictures can no longer be added here/)).toBeVisible();
  await early.unmount();
  const late = await renderView(<Cards now={NOW + 60_000} />);
  await expect.element(late.getByText(/^Pictures can no longer be added here/)).toBeVisible();
  await expect.element(late.getByRole('button')).not.toBeInTheDocument();
});
