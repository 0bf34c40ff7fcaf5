import { http, HttpResponse } from 'msw';
import { expect, it, vi } from 'vitest';
import { expectNoViolations } from '@/testing/axe';
import { currentUser, userInfo } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import type { PendingInvitation } from './api/invitations';
import { InvitationList } from './components/invitation-list';

const harbor: PendingInvitation = {
  id: 'm1',
  organizationName: 'Harbor Light',
  siteName: 'Harbor House',
  role: 'Intake',
  invitedBy: 'Omar Owens',
  createdAt: '2026-01-01T08:00:00.000Z',
};
const cedar: PendingInvitation = { ...harbor, id: 'm2', siteName: 'Cedar House', role: 'Staff' };

/** A server that keeps invitations and the answers to them; the roles follow what was accepted. */
function serveInvitations(...invitations: PendingInvitation[]) {
  let open = invitations;
  const answers: string[] = [];
  const answer = (kind: string, id: unknown) => {
    answers.push(`${kind} ${String(id)}`);
    open = open.filter((one) => one.id !== id);
    return new HttpResponse(null, { status: 204 });
  };
  const hasAccepted = () => answers.some((one) => one.startsWith('accept'));
  serve(
    http.get('/api/Users/invitations', () => HttpResponse.json(open)),
    http.get('/connect/userinfo', () =>
      HttpResponse.json(
        userInfo({ pending_invitations: open.length, role_intake_site_ids: hasAccepted() ? 's1' : '' }),
      ),
    ),
    http.post('/api/Users/invitations/:id/acceptance', ({ params }) => answer('accept', params.id)),
    http.delete('/api/Users/invitations/:id', ({ params }) => answer('decline', params.id)),
  );
  return answers;
}

const invited = currentUser({ pending_invitations: 2 });
const path = '/invitations';

it('each invitation says by whom, where and as what, and is accepted by itself', async () => {
  const answers = serveInvitations(harbor, cedar);
  const screen = await renderView(<InvitationList />, { user: invited, path });
  const card = screen.getByRole('region', { name: 'Harbor House' });
  await expect.element(card).toHaveTextContent('Intake, invited by Omar Owens on Jan 1, 2026');
  await expectNoViolations();
  await card.getByRole('button', { name: 'Accept' }).click();
  await expect.element(card).not.toBeInTheDocument();
  expect(answers).toEqual(['accept m1']);
  expect(screen.router.state.location.pathname).toBe(path);
  await screen.getByRole('button', { name: 'Accept' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/');
});

it('a double click accepts one invitation, and the next one, which comes in its place, is held back', async () => {
  const answers = serveInvitations(harbor, cedar);
  const screen = await renderView(<InvitationList />, { user: invited, path });
  const next = screen.getByRole('region', { name: 'Cedar House' });
  await expect.element(next).toBeVisible();
  const animate = vi.spyOn(next.element().closest('li') as HTMLLIElement, 'animate');
  await screen.getByRole('region', { name: 'Harbor House' }).getByRole('button', { name: 'Accept' }).dblClick();
  await expect.element(screen.getByRole('region', { name: 'Harbor House' })).not.toBeInTheDocument();
  expect(animate.mock.calls).toEqual([[{ pointerEvents: ['none', 'none'] }, 700]]);
  expect(answers).toEqual(['accept m1']);
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  await next.getByRole('button', { name: 'Accept' }).click();
  await expect.poll(() => answers).toEqual(['accept m1', 'accept m2']);
});

it('declining asks first; whoever declines the only access is signed out', async () => {
  const answers = serveInvitations(harbor);
  const screen = await renderView(<InvitationList />, { user: invited, path });
  await screen.getByRole('button', { name: 'Decline' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Decline this invitation?' });
  await expect.element(dialog).toHaveTextContent('The invitation to Harbor House is removed.');
  await expectNoViolations();
  expect(answers).toEqual([]);
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => screen.router.state.location.pathname).toBe('/logout');
  expect(answers).toEqual(['decline m1']);
});

it('an invitation that was taken back says so in place', async () => {
  serveInvitations(harbor);
  serve(http.post('/api/Users/invitations/:id/acceptance', () => problem(404, 'This was not found.')));
  const screen = await renderView(<InvitationList />, { user: invited, path });
  await screen.getByRole('button', { name: 'Accept' }).click();
  await expect.element(screen.getByRole('alert')).toBeVisible();
  expect(screen.router.state.location.pathname).toBe(path);
});

it('without invitations the screen says so', async () => {
  serveInvitations();
  const screen = await renderView(<InvitationList />, { path });
  await expect.element(screen.getByText('No invitations')).toBeVisible();
});
