import { useLocation } from '@tanstack/react-router';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { describe, expect, it } from 'vitest';
import { currentUserQuery } from '@/access/current-user';
import { auditLogSearch } from '@/features/audit-log/audit-log-search';
import { writePreference } from '@/lib/preferences';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import { AuditLogPage } from './audit-log-page';

const anna = currentUser({ role_global: true, sub: 'anna' });
const ben = currentUser({ role_global: true, sub: 'ben' });

const ROWS = Array.from({ length: 30 }, (_, index) => ({
  id: `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  login: `login ${index}`,
  email: `${index}@demo.example`,
  role: 'Owner',
  loginFailedAt: '2026-03-02T18:01:05.000Z',
  passwordChangedAt: '2026-03-02T18:01:05.000Z',
}));

function Logs() {
  return (
    <Suspense>
      <AuditLogPage search={auditLogSearch.parse(useLocation().search)} />
    </Suspense>
  );
}

/** The audit log at an address. `asked` are the pages that the server was asked for. */
async function open(path: string, user = anna) {
  const asked: string[] = [];
  serve(
    http.get('/api/EventLogs/:list', ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query.toString());
      const size = Number(query.get('PageSize'));
      const start = (Number(query.get('PageNumber')) - 1) * size;
      const items = ROWS.slice(start, start + size);
      return HttpResponse.json({ items, totalCount: ROWS.length, totalPages: Math.ceil(ROWS.length / size) });
    }),
  );
  const screen = await renderView(<Logs />, { user, path });
  await expect.element(screen.getByRole('table')).toBeVisible();
  return { screen, asked, searchOf: () => screen.router.state.location.search as Record<string, unknown> };
}

/** Chooses 25 rows a page, close together, and leaves. */
async function chooseAndLeave() {
  const { screen, searchOf } = await open('/logs?tab=failed');
  await screen.getByLabelText('Rows per page').selectOptions('25');
  await expect.element(screen.getByText('1–25 of 30')).toBeVisible();
  await screen.getByLabelText('Dense').click();
  await expect.element(screen.getByLabelText('Dense')).toBeChecked();
  expect(searchOf()).toMatchObject({ size: 25, dense: true });
  await screen.unmount();
}

describe('page size and density', () => {
  it('are there again for who chose them, from the first request on, and the address stays as it was', async () => {
    await chooseAndLeave();
    const { screen, asked, searchOf } = await open('/logs?tab=failed');
    await expect.element(screen.getByText('1–25 of 30')).toBeVisible();
    await expect.element(screen.getByLabelText('Dense')).toBeChecked();
    expect(asked).toEqual(['PageNumber=1&PageSize=25']);
    expect(searchOf()).toEqual({ tab: 'failed' });
  });

  it('are not those of somebody else on the same computer', async () => {
    await chooseAndLeave();
    const { screen, asked } = await open('/logs?tab=failed', ben);
    await expect.element(screen.getByText('1–10 of 30')).toBeVisible();
    await expect.element(screen.getByLabelText('Dense')).not.toBeChecked();
    expect(asked).toEqual(['PageNumber=1&PageSize=10']);
  });

  it('are those of one table each', async () => {
    await chooseAndLeave();
    const { screen } = await open('/logs?tab=failed');
    await screen.getByRole('tab', { name: 'Password' }).click();
    await expect.element(screen.getByText('1–10 of 30')).toBeVisible();
    await expect.element(screen.getByLabelText('Dense')).not.toBeChecked();
  });

  it('are those of the address where it names them, which is not remembered', async () => {
    await chooseAndLeave();
    const { screen, asked } = await open('/logs?tab=failed&size=5&dense=false');
    await expect.element(screen.getByText('1–5 of 30')).toBeVisible();
    await expect.element(screen.getByLabelText('Dense')).not.toBeChecked();
    expect(asked).toEqual(['PageNumber=1&PageSize=5']);
    await screen.unmount();
    const { screen: again } = await open('/logs?tab=failed');
    await expect.element(again.getByText('1–25 of 30')).toBeVisible();
  });

  it('stay with the address of a page, which shows others the same rows', async () => {
    await chooseAndLeave();
    const { screen, searchOf } = await open('/logs?tab=failed');
    await screen.getByRole('button', { name: 'Next page' }).click();
    await expect.element(screen.getByText('26–30 of 30')).toBeVisible();
    expect(searchOf()).toMatchObject({ page: 1, size: 25 });
    expect(searchOf().dense).toBeUndefined();
  });

  it('are read as older versions wrote them, and are the usual ones where what is stored is wrong', async () => {
    writePreference('tableLook.audit-log-failed.anna', '25 dense');
    const { screen } = await open('/logs?tab=failed');
    await expect.element(screen.getByText('1–25 of 30')).toBeVisible();
    await expect.element(screen.getByLabelText('Dense')).toBeChecked();
    await screen.unmount();
    writePreference('tableLook.audit-log-failed.anna', '7');
    const { screen: again } = await open('/logs?tab=failed');
    await expect.element(again.getByText('1–10 of 30')).toBeVisible();
  });
});

describe('on a device without a choice of its own, a table', () => {
  const elsewhere = (text: string) =>
    currentUser({ role_global: true, sub: 'anna', views: { 'tableLook.audit-log-failed': text } });

  it('starts with what the user chose last, from the first request on, and nothing of it stays on the device', async () => {
    const { screen, asked } = await open('/logs?tab=failed', elsewhere('25 dense -loginFailedAt'));
    await expect.element(screen.getByText('1–25 of 30')).toBeVisible();
    await expect.element(screen.getByLabelText('Dense')).toBeChecked();
    await expect.element(screen.getByRole('columnheader', { name: 'Time of failure' })).not.toBeInTheDocument();
    expect(asked).toEqual(['PageNumber=1&PageSize=25']);
    expect(Object.keys(localStorage).filter((key) => key.includes('tableLook'))).toEqual([]);
  });

  it('keeps what is chosen here, whatever is chosen elsewhere, and whether the server can be told or not', async () => {
    serve(http.put('/api/Users/views', () => problem(503, 'The service is busy.')));
    const { screen } = await open('/logs?tab=failed', elsewhere('25 dense'));
    await screen.getByLabelText('Rows per page').selectOptions('5');
    await expect.element(screen.getByText('1–5 of 30')).toBeVisible();
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
    await screen.unmount();
    const { screen: again } = await open('/logs?tab=failed', elsewhere('100'));
    await expect.element(again.getByText('1–5 of 30')).toBeVisible();
    await expect.element(again.getByLabelText('Dense')).toBeChecked();
  });

  it('stays as it is while it is shown', async () => {
    const { screen, asked } = await open('/logs?tab=failed', elsewhere('25'));
    await expect.element(screen.getByText('1–25 of 30')).toBeVisible();
    screen.queryClient.setQueryData(currentUserQuery.queryKey, elsewhere('5 dense'));
    await screen.getByRole('button', { name: 'Next page' }).click();
    await expect.element(screen.getByText('26–30 of 30')).toBeVisible();
    await expect.element(screen.getByLabelText('Dense')).not.toBeChecked();
    expect(asked).toEqual(['PageNumber=1&PageSize=25', 'PageNumber=2&PageSize=25']);
  });
});

it('a column that is hidden leaves size and density of a link alone', async () => {
  const { screen, asked, searchOf } = await open('/logs?tab=failed&size=5');
  await screen.getByRole('button', { name: 'Columns' }).click();
  await screen.getByRole('menuitemcheckbox', { name: 'Time of failure' }).click();
  await expect.element(screen.getByRole('columnheader', { name: 'Time of failure' })).not.toBeInTheDocument();
  expect(searchOf()).toEqual({ tab: 'failed', size: 5 });
  expect(asked).toHaveLength(1);
  await screen.unmount();
  const { screen: again } = await open('/logs?tab=failed');
  await expect.element(again.getByText('1–10 of 30')).toBeVisible();
  await expect.element(again.getByRole('columnheader', { name: 'Time of failure' })).not.toBeInTheDocument();
});
