import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { OwnerMessage } from './ui/owner-message';

const PATH = '/api/Subscriptions/owner-message';
const MINUTE = 60_000;

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
const open = () => renderView(<OwnerMessage guestId="g1" timeZone="America/Los_Angeles" />);

describe('the message to the owner', () => {
  it('names the owners, is sent by one press, and then says when', async () => {
    const asked: unknown[] = [];
    serve(
      answerGet(PATH, { owners: ['Olivia Owner', 'Tom Reed'], sentAt: null }),
      http.post(PATH, async ({ request }) => {
        asked.push(await request.json());
        return HttpResponse.json({ owners: ['Olivia Owner', 'Tom Reed'], sentAt: ago(0) });
      }),
    );
    const screen = await open();
    await expect.element(screen.getByText('The owners are Olivia Owner and Tom Reed.')).toBeVisible();
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Send a message to the owner' }).click();
    await expect.element(screen.getByRole('status')).toHaveTextContent(/^Message sent: \d+:\d\d/);
    expect(screen.getByRole('button').query()).toBeNull();
    expect(asked).toEqual([{ guestId: 'g1' }]);
    await expectNoViolations();
  });

  it('that a colleague has just sent is not offered again', async () => {
    serve(answerGet(PATH, { owners: ['Olivia Owner'], sentAt: ago(3) }));
    const screen = await open();
    await expect.element(screen.getByText('The owner is Olivia Owner.')).toBeVisible();
    await expect.element(screen.getByRole('status')).toHaveTextContent('Message sent:');
    expect(screen.getByRole('button').query()).toBeNull();
  });

  it('can be sent again after 15 minutes', async () => {
    serve(answerGet(PATH, { owners: [], sentAt: ago(16) }));
    const screen = await open();
    await expect.element(screen.getByRole('button', { name: 'Send the message again' })).toBeVisible();
    await expect.element(screen.getByRole('status')).toHaveTextContent('Message sent:');
  });

  it('says why it was not sent, and can be tried again', async () => {
    serve(
      answerGet(PATH, { owners: ['Olivia Owner'], sentAt: null }),
      http.post(PATH, () => problem(409, 'This reservation is not waiting for a subscription. Reload the page.')),
    );
    const screen = await open();
    await screen.getByRole('button', { name: 'Send a message to the owner' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('is not waiting for a subscription');
    await expect.element(screen.getByRole('button', { name: 'Send a message to the owner' })).toBeVisible();
    await expectNoViolations();
  });
});
