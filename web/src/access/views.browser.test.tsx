import { HttpResponse } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { tellUserForgotten } from '@/lib/session-end';
import { currentUser } from '@/testing/builders';
import { problem } from '@/testing/server';
import { takeViews } from '@/testing/views';
import { readView, writeView } from './views';

const anna = currentUser({ sub: 'anna', views: { 'tableLook.guests': '25 dense -phone' } });
const ben = currentUser({ sub: 'ben' });

afterEach(tellUserForgotten);

/** Takes views, the first one when `release` is called. */
function takeViewsSlowly() {
  let release: (answer: Response) => void = () => undefined;
  const answers = [new Promise<Response>((resolve) => (release = resolve))];
  const sent = takeViews(() => answers.pop() ?? new HttpResponse(null, { status: 204 }));
  return { sent, release };
}

describe('a view', () => {
  it('is what was chosen last anywhere, until the user chooses on this device', () => {
    takeViews();
    expect(readView(anna, 'tableLook.guests')).toBe('25 dense -phone');
    expect(localStorage.getItem('berth.tableLook.guests.anna')).toBeNull();
    writeView(anna, 'tableLook.guests', '10');
    expect(readView(anna, 'tableLook.guests')).toBe('10');
    expect(readView(ben, 'tableLook.guests')).toBeUndefined();
  });

  it('is sent in the background, one after the other, and the last choice stays', async () => {
    const { sent, release } = takeViewsSlowly();
    for (const text of ['5', '10', '25', '100']) writeView(anna, 'tableLook.guests', text);
    expect(readView(anna, 'tableLook.guests')).toBe('100');
    await expect.poll(() => sent).toEqual([expect.any(String)]);
    writeView(anna, 'tableLook.guests', '250');
    writeView(anna, 'tableLook.history', '5');
    expect(sent).toHaveLength(1);
    release(new HttpResponse(null, { status: 204 }));
    await expect.poll(() => sent.slice(1).toSorted()).toEqual(['guests: 250', 'history: 5']);
  });

  it.each([
    ['the connection broke', () => HttpResponse.error()],
    ['the server was busy', () => problem(503, 'The service is busy.')],
  ])('is sent again with the next choice if %s', async (_why, failure) => {
    const failures = [failure];
    const sent = takeViews(() => failures.pop()?.() ?? new HttpResponse(null, { status: 204 }));
    writeView(anna, 'tableLook.guests', '25');
    await expect.poll(() => sent).toEqual(['guests: 25']);
    writeView(anna, 'tableLook.history', '5');
    await expect.poll(() => sent).toEqual(['guests: 25', 'guests: 25', 'history: 5']);
    writeView(anna, 'tableLook.history', '10');
    await expect.poll(() => sent.slice(3)).toEqual(['history: 10']);
  });

  it('is not sent again if the server refused it', async () => {
    const refusals = [() => problem(422, 'You already have 60 saved views, and no more can be stored.')];
    const sent = takeViews(() => refusals.pop()?.() ?? new HttpResponse(null, { status: 204 }));
    writeView(anna, 'tableLook.guests', '25');
    await expect.poll(() => sent).toEqual(['guests: 25']);
    writeView(anna, 'tableLook.history', '5');
    await expect.poll(() => sent).toEqual(['guests: 25', 'history: 5']);
  });

  it('is not sent for the next user of this computer', async () => {
    const { sent, release } = takeViewsSlowly();
    writeView(anna, 'tableLook.guests', '25');
    await expect.poll(() => sent).toEqual(['guests: 25']);
    writeView(anna, 'tableLook.history', '5');
    tellUserForgotten();
    writeView(ben, 'tableLook.guests', '10');
    release(HttpResponse.error());
    await expect.poll(() => sent).toEqual(['guests: 25', 'guests: 10']);
    writeView(ben, 'tableLook.invoices', '5');
    await expect.poll(() => sent.slice(2)).toEqual(['invoices: 5']);
  });
});
