import { afterEach, describe, expect, it } from 'vitest';
import type { Schemas } from '@/api/client';
import { expectNoViolations } from '@/testing/axe';
import { anna, ben, openRequest, tearDownRequest } from '@/testing/open-request';
import { problem } from '@/testing/server';

afterEach(tearDownRequest);

describe('of two who accept the same reservation, the later one', () => {
  const at = new Date(Date.now() - 60_000).toISOString();
  const theirs: Schemas['Guest'] = {
    ...anna,
    status: 'accepted',
    version: 2,
    assignedBedId: 'd',
    room: ben.room,
    bed: { ...ben.bed, name: 'Bed d' } as Schemas['Guest']['bed'],
  };
  const stale = (name: string | null) => () =>
    problem(412, 'Someone else changed this in the meantime.', {
      guest: theirs,
      changedBy: { name, isYou: false, at },
    });

  it('reads who was faster and where the guest is; nothing stays chosen, and no button moves the guest', async () => {
    const { screen, sent, choose } = await openRequest({ answer: stale('Tom Becker') });
    await choose('Bed b, House 1, Detox');
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    const alert = screen.getByRole('alert');
    await expect.element(alert).toHaveTextContent('Anna K. already has a bed');
    await expect.element(alert).toHaveTextContent('Anna K. is now in House 1 / Bed d.');
    await expect.element(alert).toHaveTextContent(/Tom Becker did this at .*\d+:\d\d/);
    await expect.element(screen.getByRole('radio')).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Reassign to this bed' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('link', { name: 'See the guest' })).toBeVisible();
    await expectNoViolations();
    // Moving the colleague's guest is a decision of its own.
    await screen.getByRole('button', { name: 'Reassign to another bed' }).click();
    await expect.poll(() => screen.getByRole('radio').elements().length).toBe(2);
    for (const radio of screen.getByRole('radio').all()) await expect.element(radio).not.toBeChecked();
    expect(sent).toHaveLength(1);
  });

  it('reads of somebody without a name', async () => {
    const { screen, choose } = await openRequest({ answer: stale(null) });
    await choose('Bed b, House 1, Detox');
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent(/Someone else did this at/);
  });

  it('reads who declined it', async () => {
    const { screen, choose } = await openRequest({
      answer: () =>
        problem(409, 'This reservation has been declined.', {
          guest: { ...anna, status: 'rejected', version: 2 },
          changedBy: { name: 'Tom Becker', isYou: false, at },
        }),
    });
    await choose('Bed b, House 1, Detox');
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.element(screen.getByText('This reservation can no longer be accepted.')).toBeVisible();
    await expect.element(screen.getByText(/Tom Becker did this at/)).toBeVisible();
  });
});

describe('a bed that a colleague took', () => {
  it('is not chosen any more, and the colleague is named', async () => {
    const { screen, choose } = await openRequest({
      answer: () =>
        problem(409, 'This bed has just been taken by another guest. Choose a vacant bed.', {
          guest: anna,
          changedBy: { name: 'Tom Becker', isYou: false, at: new Date().toISOString() },
        }),
    });
    await choose('Bed b, House 1, Detox');
    await screen.getByRole('button', { name: 'Accept into this bed' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent(/Tom Becker did this at/);
    for (const radio of screen.getByRole('radio').all()) await expect.element(radio).not.toBeChecked();
    await expect
      .element(screen.getByRole('button', { name: 'Accept into this bed' }))
      .toHaveAttribute('aria-disabled', 'true');
  });
});
