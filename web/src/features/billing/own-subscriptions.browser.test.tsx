import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Schemas } from '@/api/client';
import { ProfilePage } from '@/pages/profile-page';
import { expectNoViolations } from '@/testing/axe';
import { subscriptionSummary } from '@/testing/billing-builders';
import { currentUser } from '@/testing/builders';
import { organization } from '@/testing/organization-builders';
import { renderView } from '@/testing/render';
import { answerGet, serve } from '@/testing/server';

const bay = subscriptionSummary('s1', {
  siteName: 'Harbor House',
  status: 'past_due',
  isActive: false,
  paidPeriodEnd: null,
  totalInvoice: 1350,
  card: null,
});

function serveSummaries(ofOrganization: Record<string, Schemas['SubscriptionSummary'][]>) {
  const asked: (string | null)[] = [];
  serve(
    answerGet('/api/Organizations', [
      organization('bay', { name: 'Bay Recovery', isCommercial: true }),
      organization('cove', { name: 'Cove Recovery', isCommercial: true }),
      organization('free', { name: 'Free House' }),
    ]),
    http.get('/api/Subscriptions/sites', ({ request }) => {
      const id = new URL(request.url).searchParams.get('organizationId');
      asked.push(id);
      return HttpResponse.json(ofOrganization[id ?? ''] ?? []);
    }),
  );
  return asked;
}

const show = (organizationIds: string) =>
  renderView(<ProfilePage />, {
    user: currentUser({ role_owner_organization_ids: organizationIds, owns_commercial: true }),
    path: '/user-settings',
  });

describe('subscriptions in the profile', () => {
  it('show the sites of each owned commercial organization, and are asked for only when opened', async () => {
    const asked = serveSummaries({ bay: [bay, { ...bay, siteId: 's2', siteName: 'Never', status: 'none' }] });
    const screen = await show('bay,cove,free');
    const part = screen.getByRole('button', { name: 'Subscriptions' });
    await expect.element(part).toHaveAttribute('aria-expanded', 'false');
    // Enough happens here for a part that is drawn too early to have asked.
    for (const other of ['Security', 'Profile']) await screen.getByRole('button', { name: other, exact: true }).click();
    await expect.element(screen.getByRole('button', { name: 'Delete profile' })).toBeVisible();
    expect(asked).toEqual([]);
    await part.click();
    await expect.element(screen.getByText('Harbor House')).toBeVisible();
    await expect.element(screen.getByText('Past Due – Payment Failed')).toBeVisible();
    await expect.element(screen.getByText(/^Next invoice on .*2026: \$1,350\.00$/)).toBeVisible();
    await expect.element(screen.getByRole('heading', { name: 'Cove Recovery' })).toBeVisible();
    await expect.element(screen.getByText('You have no subscriptions')).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'Open Billing of Bay Recovery' }))
      .toHaveAttribute('href', '/payment-details/bay');
    await expect.element(screen.getByText('Never')).not.toBeInTheDocument();
    expect(asked.toSorted()).toEqual(['bay', 'cove']);
    await expectNoViolations();
  });

  it('say that there are none to an owner of free organizations', async () => {
    serveSummaries({});
    const screen = await show('free');
    await screen.getByRole('button', { name: 'Subscriptions' }).click();
    await expect.element(screen.getByText('You have no subscriptions')).toBeVisible();
  });

  it.each([
    ['people who own nothing', currentUser({ role_admin_site_ids: 's1' })],
    ['a global admin', currentUser({ role_global: true })],
  ])('are not there for %s', async (_who, user) => {
    const screen = await renderView(<ProfilePage />, { user, path: '/user-settings' });
    await expect.element(screen.getByRole('button', { name: 'Security' })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Subscriptions' })).not.toBeInTheDocument();
  });
});
