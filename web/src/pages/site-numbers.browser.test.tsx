import { HttpResponse, http } from 'msw';
import { Suspense } from 'react';
import { expect, it } from 'vitest';
import { historyDefaults } from '@/features/history/history-search';
import { tableDefaults } from '@/components/data-table/table-search';
import { bed, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { answerGet, problem, serve } from '@/testing/server';
import { SitePage } from './site-page';

async function open(user: ReturnType<typeof currentUser>) {
  const asked: string[] = [];
  serve(
    answerGet('/api/Sites/s1', siteDetails([room('1', [bed('a')])])),
    http.get('/api/Sites/s1/numbers', ({ request }) => {
      asked.push(new URL(request.url).search);
      return problem(403, 'Your role does not allow this.');
    }),
    http.get('/api/Guests', () => HttpResponse.json({ items: [] })),
  );
  const search = { ...tableDefaults, ...historyDefaults, tab: 'numbers', beds: 'all', days: 90 } as const;
  const view = <Suspense>{<SitePage siteId="s1" type="organizations" search={search} />}</Suspense>;
  return Object.assign(await renderView(view, { user }), { asked });
}

it.each([
  ['owners', currentUser({ role_owner_organization_ids: 'o1' })],
  ['admins', currentUser({ role_admin_site_ids: 's1' })],
])('the numbers of a site are a tab for its %s, which says why it has none', async (_, user) => {
  const screen = await open(user);
  await expect.element(screen.getByRole('tab', { name: 'Numbers' })).toHaveAttribute('aria-selected', 'true');
  await expect.element(screen.getByText('Your role does not allow this.')).toBeVisible();
  expect(screen.asked).toEqual(['?days=90']);
});

it.each([
  ['intake', currentUser({ role_intake_site_ids: 's1' })],
  ['staff', currentUser({ role_staff_site_ids: 's1' })],
])('the numbers of a site are not for %s, who get the houses instead', async (_, user) => {
  const screen = await open(user);
  await expect.element(screen.getByText('House 1', { exact: true })).toBeVisible();
  await expect.element(screen.getByRole('tab', { name: 'Numbers' })).not.toBeInTheDocument();
  expect(screen.asked).toEqual([]);
});
