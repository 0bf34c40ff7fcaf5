import { cleanNotifications } from '@mantine/notifications';
import { useSuspenseQuery } from '@tanstack/react-query';
import { CatchBoundary } from '@tanstack/react-router';
import { http, HttpResponse } from 'msw';
import { Suspense, useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ErrorScreen } from '@/app/error-screens';
import { siteQuery } from '@/features/sites/api/site-query';
import { forgetLostSites } from '@/live/forget-lost-sites';
import { expectNoViolations } from '@/testing/axe';
import { bed, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { NewGuestDialog } from './new-guest-dialog';

afterEach(() => cleanNotifications());

const site = siteDetails([room('1', [bed('a')])], { isCommercial: false });
const NOT_ADDED = 'The guest was not added. The site was deleted, or you have no access to it any more.';

function Site() {
  const { data } = useSuspenseQuery(siteQuery('s1'));
  const [isOpen, setOpen] = useState(true);
  return <NewGuestDialog subject={isOpen} site={data} onClose={() => setOpen(false)} onAdded={() => undefined} />;
}

/** The form over a site that is loaded again, as after a live event, and answered by `answer` then. */
async function openForm(answer: () => Response) {
  let isOpened = false;
  serve(
    answerGet('/api/SiteServices/nonCommercial', { age: [], gender: [], client: [], general: [], disability: [] }),
    http.get('/api/Sites/s1', () => (isOpened ? answer() : HttpResponse.json(site))),
    http.post('/api/Guests', () => answer()),
  );
  const screen = await renderView(
    <CatchBoundary getResetKey={() => 's1'} errorComponent={ErrorScreen}>
      <Suspense fallback="…">
        <Site />
      </Suspense>
    </CatchBoundary>,
    { user: currentUser({ role_intake_site_ids: 's1' }) },
  );
  const first = screen.getByLabelText('First name');
  await expect.element(first).toHaveFocus();
  isOpened = true;
  const { queryClient } = screen;
  const stop = forgetLostSites(queryClient);
  const load = () => queryClient.invalidateQueries({ queryKey: ['sites', 's1'] }).finally(stop);
  return { screen, first, load };
}

describe('a form for a new guest that goes with its site', () => {
  it.each([
    ['deleted', () => problem(404, 'Not found.')],
    ['lost', () => problem(403, 'Forbidden.')],
  ])('says that the guest was not added if the site was %s', async (_how, answer) => {
    const { first, load } = await openForm(answer);
    await userEvent.keyboard('Anna');
    await load();
    await expect.element(page.getByText(NOT_ADDED)).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'Failed to load' })).toBeVisible();
    await expect.element(first).not.toBeInTheDocument();
    await expectNoViolations();
  });

  it('says nothing if nothing was typed', async () => {
    const { first, load } = await openForm(() => problem(404, 'Not found.'));
    await load();
    await expect.element(page.getByRole('heading', { name: 'Failed to load' })).toBeVisible();
    await expect.element(first).not.toBeInTheDocument();
    expect(page.getByText(/The guest was not added/u).elements()).toEqual([]);
  });
});

it('a form that its user has thrown away says nothing of its site', async () => {
  const { first, load, screen } = await openForm(() => problem(404, 'Not found.'));
  await userEvent.keyboard('Anna');
  await screen.getByRole('button', { name: 'Cancel' }).click();
  await screen.getByRole('button', { name: 'Discard' }).click();
  await expect.element(first).not.toBeInTheDocument();
  await load();
  expect(page.getByText(/The guest was not added/u).elements()).toEqual([]);
});
