import { HttpResponse, http } from 'msw';
import { Suspense } from 'react';
import { expect, it } from 'vitest';
import { currentUser } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { OrganizationNumbersPage } from './organization-numbers-page';

const path = '/organizations/bay/numbers';

async function open(user: ReturnType<typeof currentUser>) {
  const asked: string[] = [];
  serve(
    answerGet('/api/Organizations/bay', organization('bay', { isCommercial: true })),
    http.get('/api/Organizations/bay/numbers', ({ request }) => {
      asked.push(new URL(request.url).search);
      return problem(503, 'The service is busy.');
    }),
    http.get('/api/Sites', () => HttpResponse.json({ items: [] })),
  );
  const view = (
    <Suspense>
      <OrganizationNumbersPage organizationId="bay" type="organizations" search={{ days: 90 }} />
    </Suspense>
  );
  return Object.assign(await renderView(view, { user, path }), { asked });
}

it('the numbers of an organization are for its owners, who are told why there are none', async () => {
  const screen = await open(currentUser({ role_owner_organization_ids: 'bay' }));
  await expect.element(screen.getByText('The service is busy.')).toBeVisible();
  expect(screen.router.state.location.pathname).toBe(path);
  expect(screen.asked).toEqual(['?days=90']);
});

it('the admin of a site is led from the numbers of its organization to the organization', async () => {
  const screen = await open(currentUser({ role_admin_site_ids: 's1' }));
  await expect.poll(() => screen.router.state.location.pathname).toBe('/organizations/bay');
  expect(screen.asked).toEqual([]);
});
