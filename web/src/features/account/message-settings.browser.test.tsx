import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import type { MessageSettings } from './api/messages';
import { MessageSettingsForm } from './components/message-settings';

const both: MessageSettings = {
  places: [
    { membershipId: 'm1', name: 'Harbor House', receives: true },
    { membershipId: 'm2', name: 'Open Door', receives: false },
  ],
  quietFrom: null,
  quietUntil: null,
  hasStoppedSms: false,
};

/** Shows the settings of a server that keeps what it is sent; the first answers may be refusals. */
async function open(settings: MessageSettings, refusals: (() => Response)[] = []) {
  let kept = settings;
  const sent: unknown[] = [];
  serve(
    http.get('/api/Users/messages', () => HttpResponse.json(kept)),
    http.put('/api/Users/messages', async ({ request }) => {
      const choice = (await request.json()) as { receivesFor: string[]; quietFrom: string; quietUntil: string };
      sent.push(choice);
      const refusal = refusals.shift();
      if (refusal) return refusal();
      const places = kept.places.map((place) => ({
        ...place,
        receives: choice.receivesFor.includes(place.membershipId),
      }));
      kept = { ...kept, places, quietFrom: choice.quietFrom, quietUntil: choice.quietUntil };
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { screen: await renderView(<MessageSettingsForm />), sent };
}

it('messages are turned off and on for each place, and quiet hours are set', async () => {
  const { screen, sent } = await open(both);
  await expect.element(screen.getByLabelText('Harbor House')).toBeChecked();
  await expect.element(screen.getByLabelText('Open Door')).not.toBeChecked();
  await expect.element(screen.getByLabelText('From')).not.toBeInTheDocument();
  await screen.getByLabelText('Harbor House').click();
  await screen.getByLabelText('Open Door').click();
  await screen.getByLabelText('Quiet hours').click();
  await expect.element(screen.getByLabelText('From')).toHaveValue('22:00:00');
  await screen.getByLabelText('Until').selectOptions('6:30 AM');
  await expectNoViolations();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('Your message settings are saved.')).toBeVisible();
  await expect.element(screen.getByLabelText('Open Door')).toBeChecked();
  // The form is ready for another change.
  await screen.getByLabelText('Quiet hours').click();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => sent)
    .toEqual([
      { receivesFor: ['m2'], quietFrom: '22:00:00', quietUntil: '06:30:00' },
      { receivesFor: ['m2'], quietFrom: null, quietUntil: null },
    ]);
});

it('what is wrong is told at its field, and what was chosen stays', async () => {
  const wrong = () =>
    problem(422, 'One field is wrong.', {
      errors: [
        {
          pointer: '/quietUntil',
          message: 'The quiet hours cannot end at the time they start. Choose another time.',
          code: 'quiet-hours-same',
          values: {},
        },
      ],
    });
  const { screen } = await open({ ...both, quietFrom: '22:00:00', quietUntil: '23:00:00' }, [wrong]);
  await screen.getByLabelText('Until').selectOptions('10:00 PM');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect
    .element(screen.getByText('The quiet hours cannot end at the time they start. Choose another time.'))
    .toBeVisible();
  await expect.element(screen.getByLabelText('Until')).toHaveValue('22:00:00');
});

it('a phone that answered STOP is told why no text comes', async () => {
  const { screen } = await open({ ...both, hasStoppedSms: true });
  await expect.element(screen.getByRole('note')).toHaveTextContent(/send START/);
  await expectNoViolations();
});

it('somebody without a place is told that there is nothing to choose', async () => {
  const { screen } = await open({ ...both, places: [] });
  await expect.element(screen.getByText(/You have no sites/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Save' })).not.toBeInTheDocument();
});
