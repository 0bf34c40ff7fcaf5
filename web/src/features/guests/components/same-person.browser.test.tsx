import { http, HttpResponse } from 'msw';
import { useEffect, useState } from 'react';
import { expect, it, vi } from 'vitest';
import type { Schemas } from '@/api/client';
import { expectNoViolations } from '@/testing/axe';
import { earlierStay, guest, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { SamePerson } from './same-person';

type Earlier = Schemas['EarlierReservation'];

const site = siteDetails([]);
const admin = currentUser({ role_admin_site_ids: 's1' });
const intake = currentUser({ role_intake_site_ids: 's1' });
const ana = guest('ana', { status: 'accepted', acceptedAt: '2026-03-01T18:00:00.000Z' });

function reservation(id: string, fields: Partial<Earlier> = {}): Earlier {
  return earlierStay({
    id,
    displayName: `Ana B. ${id.toUpperCase()}`,
    status: 'pending',
    acceptedAt: null,
    dischargedAt: null,
    daysStayed: 0,
    version: 4,
    ...fields,
  });
}

const merged = (id: string) =>
  reservation(id, {
    status: 'rejected',
    rejectedAt: '2026-03-02T19:00:00.000Z',
    mergedAt: '2026-03-02T19:00:00.000Z',
    merged: 'duplicate',
    version: 5,
  });

function show(items: readonly Earlier[], user = admin, of = ana) {
  serve(answerGet(`/api/Guests/${of.id}/earlier`, { items }));
  return renderView(<SamePerson guest={of} site={site} />, { user });
}

/** Notes what is sent to an address, and answers it. */
function sent(path: string, answer: () => Response) {
  const bodies: unknown[] = [];
  serve(
    http.post(path, async ({ request }) => {
      bodies.push({ key: request.headers.get('Idempotency-Key'), body: await request.json() });
      return answer();
    }),
  );
  return bodies;
}

it('an admin merges a pending duplicate, is told what becomes of it, and undoes it from the message', async () => {
  const screen = await show([reservation('dup')]);
  const sends = sent('/api/Guests/ana/merge', () =>
    HttpResponse.json(guest('dup', { status: 'rejected', version: 5 })),
  );
  const undone = sent('/api/Guests/dup/unmerge', () => HttpResponse.json(guest('dup', { version: 6 })));
  await screen.getByRole('button', { name: 'Merge Ana B. DUP' }).click();
  const question = screen.getByRole('dialog', { name: 'Merge these two reservations?' });
  await expect.element(question).toHaveTextContent(/is kept as it is\./);
  await expect.element(question).toHaveTextContent('Ana B. DUP at Harbor House ends: its bed is free for others');
  await expectNoViolations();
  await question.getByRole('button', { name: 'Merge' }).dblClick();
  await expect.element(screen.getByText(/Ana B\. DUP was merged into/)).toBeVisible();
  expect(sends).toEqual([{ key: expect.any(String), body: { duplicateId: 'dup', version: 4 } }]);
  await screen.getByRole('button', { name: /^Undo/ }).click();
  await expect.element(screen.getByText('The merge of Ana B. DUP was undone.')).toBeVisible();
  expect(undone).toEqual([{ key: expect.any(String), body: { version: 5 } }]);
});

it('the reservation with the bed is kept, whichever page the merge is asked on', async () => {
  const pending = guest('pat', { status: 'pending', version: 2 });
  const screen = await show([reservation('bed', { status: 'accepted' })], admin, pending);
  const sends = sent('/api/Guests/bed/merge', () =>
    HttpResponse.json(guest('pat', { status: 'rejected', version: 3 })),
  );
  await screen.getByRole('button', { name: 'Merge Ana B. BED' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
  await expect.poll(() => sends).toHaveLength(1);
  expect(sends[0]).toMatchObject({ body: { duplicateId: 'pat', version: 2 } });
});

it('a lost answer is asked for again under the same key until the outcome is known', async () => {
  const screen = await show([reservation('dup')]);
  let tries = 0;
  const sends = sent('/api/Guests/ana/merge', () => {
    tries += 1;
    return tries === 1 ? HttpResponse.error() : HttpResponse.json(guest('dup', { status: 'rejected', version: 5 }));
  });
  await screen.getByRole('button', { name: 'Merge Ana B. DUP' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
  await expect.element(screen.getByText(/Ana B\. DUP was merged into/)).toBeVisible();
  expect(sends).toHaveLength(2);
  expect(new Set(sends.map((send) => (send as { key: string }).key)).size).toBe(1);
});

it('a refusal stays in the question', async () => {
  const screen = await show([reservation('dup')]);
  sent('/api/Guests/ana/merge', () => problem(409, 'This guest has a bed.'));
  await screen.getByRole('button', { name: 'Merge Ana B. DUP' }).click();
  const question = screen.getByRole('dialog');
  await question.getByRole('button', { name: 'Merge' }).click();
  await expect.element(question.getByRole('alert')).toHaveTextContent('This guest has a bed.');
});

it('after somebody else has changed the duplicate, it says how that stands now and goes through', async () => {
  const screen = await show([reservation('dup')]);
  let tries = 0;
  const sends = sent('/api/Guests/ana/merge', () => {
    tries += 1;
    return tries === 1
      ? problem(412, 'Someone else changed this in the meantime. Here is how it is now.', {
          guest: guest('dup', { version: 6 }),
        })
      : HttpResponse.json(guest('dup', { status: 'rejected', version: 7 }));
  });
  await screen.getByRole('button', { name: 'Merge Ana B. DUP' }).click();
  const question = screen.getByRole('dialog');
  await question.getByRole('button', { name: 'Merge' }).click();
  await expect.element(question.getByRole('alert')).toHaveTextContent('Status now: Pending.');
  await question.getByRole('button', { name: 'Merge' }).click();
  await expect.element(screen.getByText(/Ana B\. DUP was merged into/)).toBeVisible();
  expect(sends).toMatchObject([{ body: { version: 4 } }, { body: { version: 6 } }]);
});

it('after the duplicate got a bed, it is the one that is kept', async () => {
  const screen = await show([reservation('dup')], admin, guest('ana', { status: 'pending', version: 9 }));
  const inBed = guest('dup', { status: 'accepted', assignedBedId: 'b', version: 6 });
  const refused = sent('/api/Guests/ana/merge', () => problem(412, 'Someone else changed this.', { guest: inBed }));
  const turned = sent('/api/Guests/dup/merge', () =>
    HttpResponse.json(guest('ana', { status: 'rejected', version: 10 })),
  );
  await screen.getByRole('button', { name: 'Merge Ana B. DUP' }).click();
  const question = screen.getByRole('dialog');
  await question.getByRole('button', { name: 'Merge' }).click();
  await expect.element(question.getByRole('alert')).toHaveTextContent('Status now: Accepted.');
  await expect.element(question).toHaveTextContent(/Ana ANA at .* ends/);
  await question.getByRole('button', { name: 'Merge' }).click();
  await expect.element(screen.getByText(/Ana ANA was merged into Ana B\. DUP/)).toBeVisible();
  expect(refused).toHaveLength(1);
  expect(turned).toMatchObject([{ body: { duplicateId: 'ana', version: 9 } }]);
});

/** Shows Ana's page with a duplicate; `change.to` is a live update of hers. */
async function showLive() {
  serve(answerGet('/api/Guests/ana/earlier', { items: [reservation('dup')] }));
  const change = { to: (_guest: Schemas['Guest']) => undefined as void };
  function Page() {
    const [shown, setShown] = useState(ana);
    useEffect(() => {
      change.to = setShown;
    }, []);
    return <SamePerson guest={shown} site={site} />;
  }
  return { screen: await renderView(<Page />, { user: admin }), change };
}

const left = { ...ana, status: 'discharged', assignedBedId: null, version: 2 } as const;

it('after the one to keep has left, the pending one is kept, once that is read', async () => {
  const { screen, change } = await showLive();
  const sends = sent('/api/Guests/dup/merge', () =>
    HttpResponse.json(guest('ana', { status: 'discharged', version: 3 })),
  );
  await screen.getByRole('button', { name: 'Merge Ana B. DUP' }).click();
  const question = screen.getByRole('dialog');
  await expect.element(question).toHaveTextContent(/DUP at .* ends/);
  const animate = vi.spyOn(Element.prototype, 'animate');
  change.to(left);
  await expect.element(question).toHaveTextContent('Ana B. DUP is kept as it is.');
  await expect.element(question).toHaveTextContent(/Ana ANA at .* stays on record/);
  await expect
    .element(question.getByRole('alert'))
    .toHaveTextContent('This has changed while the question was open. Read again what happens to each.');
  const merge = question.getByRole('button', { name: 'Merge' });
  await expect.element(merge).not.toBeInTheDocument();
  expect(animate.mock.calls).toEqual([[{ pointerEvents: ['none', 'none'] }, 700]]);
  animate.mockRestore();
  await expectNoViolations();
  await question.getByRole('button', { name: 'I have read it' }).dblClick();
  await expect.element(question.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(merge).toBeVisible();
  expect(sends).toEqual([]);
  await merge.click();
  await expect.poll(() => sends).toMatchObject([{ body: { duplicateId: 'ana', version: 2 } }]);
});

it('a question that turned round and back says so, too', async () => {
  const { screen, change } = await showLive();
  await screen.getByRole('button', { name: 'Merge Ana B. DUP' }).click();
  const question = screen.getByRole('dialog');
  change.to(left);
  await expect.element(question.getByRole('alert')).toBeVisible();
  change.to({ ...ana, version: 3 });
  await expect.element(question).toHaveTextContent(/DUP at .* ends/);
  await expect.element(question.getByRole('alert')).toBeVisible();
  await expect.element(question.getByRole('button', { name: 'Merge' })).not.toBeInTheDocument();
});

it('a question that is asked anew, or that says the same after a change, is not read anew', async () => {
  const { screen, change } = await showLive();
  const sends = sent('/api/Guests/ana/merge', () =>
    HttpResponse.json(guest('dup', { status: 'rejected', version: 5 })),
  );
  await screen.getByRole('button', { name: 'Merge Ana B. DUP' }).click();
  const question = screen.getByRole('dialog');
  change.to({ ...left, displayName: 'Ana Maria ANA' });
  await expect.element(question.getByRole('alert')).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  change.to({ ...ana, version: 3 });
  await expect.element(question).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Merge Ana B. DUP' }).click();
  change.to({ ...ana, status: 'reassigned', displayName: 'Ana Maria ANA', version: 4 });
  await expect.element(question).toHaveTextContent('Ana Maria ANA is kept as it is.');
  await question.getByRole('button', { name: 'Merge' }).click();
  await expect.poll(() => sends).toHaveLength(1);
});

it('after both got a bed, it says that they cannot be merged', async () => {
  const screen = await show([reservation('dup')], admin, guest('ana', { status: 'accepted', assignedBedId: 'a' }));
  const inBed = guest('dup', { status: 'accepted', assignedBedId: 'b', version: 6 });
  sent('/api/Guests/ana/merge', () => problem(412, 'Someone else changed this.', { guest: inBed }));
  await screen.getByRole('button', { name: 'Merge Ana B. DUP' }).click();
  const question = screen.getByRole('dialog');
  await question.getByRole('button', { name: 'Merge' }).click();
  await expect.element(question).toHaveTextContent('These reservations cannot be merged as they are now.');
  await expect.element(question).not.toHaveTextContent('stays on record');
});

it('a merged reservation says so, and its page says which one is kept', async () => {
  const screen = await show([merged('dup')]);
  await expect.element(screen.getByRole('button', { name: 'Undo merge: Ana B. DUP' })).toBeVisible();
  expect(screen.getByRole('button', { name: /^Merge/ }).elements()).toEqual([]);
  await screen.unmount();
  const at = '2026-03-02T19:00:00.000Z';
  const duplicate = guest('dup', { status: 'rejected', rejectedAt: at, mergedAt: at, version: 5 });
  const other = await show([reservation('ana', { status: 'accepted', merged: 'kept' })], admin, duplicate);
  await expect.element(other.getByText('This reservation was merged into Ana B. ANA. That one is kept.')).toBeVisible();
  const undone = sent('/api/Guests/dup/unmerge', () => HttpResponse.json(guest('dup', { version: 6 })));
  await other.getByRole('button', { name: 'Undo merge' }).click();
  await expect.poll(() => undone).toEqual([{ key: expect.any(String), body: { version: 5 } }]);
  await expect.element(other.getByRole('heading', { name: 'Same person' })).toHaveFocus();
  await expectNoViolations();
});

it('intake staff see the other reservations and merge nothing; without any there is nothing', async () => {
  const screen = await show([reservation('dup'), merged('old')], intake);
  await expect.element(screen.getByRole('link', { name: 'Ana B. DUP' })).toBeVisible();
  expect(screen.getByRole('button').elements()).toEqual([]);
  await screen.unmount();
  const none = await show([]);
  await expect.poll(() => none.queryClient.isFetching()).toBe(0);
  expect(none.getByRole('heading').elements()).toEqual([]);
});
