import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { bed, room, siteDetails } from '@/testing/bed-builders';
import { openTab, owner, record } from '@/testing/open-houses';
import { answerGet, problem, serve } from '@/testing/server';

describe('beds', () => {
  it('are disabled with a reason and the day they are expected back, and enabled without a question', async () => {
    const off = record('put', '/api/Beds/b', bed('b'));
    const on = record('put', '/api/Beds/c', bed('c'));
    const { screen, menu } = await openTab();
    await menu('Bed b, House 1', 'Disable Bed');
    const dialog = screen.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Disable Bed' }).click();
    await expect.element(dialog.getByText('Required field.')).toBeVisible();
    expect(off).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Water damage');
    await dialog.getByLabelText('Expected back (optional)').fill('2026-12-01');
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Disable Bed' }).click();
    await expect.element(screen.getByText('Bed b is disabled.')).toBeVisible();
    await menu('Bed c, Garden', 'Enable Bed');
    await expect.element(screen.getByText('Bed c is enabled.')).toBeVisible();
    const reason = { disabledReason: 'Water damage', expectedBack: '2026-12-01' };
    expect(off).toMatchObject([{ disabled: true, disabledKind: 'out-of-service', ...reason }]);
    expect(on).toMatchObject([{ disabled: false }]);
  });

  it('are disabled while they are cleaned, which needs no reason, and the server says at its field which day is wrong', async () => {
    const sent: unknown[] = [];
    serve(
      http.put('/api/Beds/b', async ({ request }) => {
        sent.push(await request.json());
        if (sent.length === 2) return HttpResponse.json(bed('b'));
        return problem(422, 'Some fields need attention.', {
          errors: [{ pointer: '/expectedBack', message: 'Choose a day within a year from today.' }],
        });
      }),
    );
    const { screen, menu } = await openTab();
    await menu('Bed b, House 1', 'Disable Bed');
    const dialog = screen.getByRole('dialog', { name: 'Disable Bed b?' });
    const kinds = dialog.getByRole('radiogroup', { name: 'The bed is' });
    await expect.element(kinds.getByRole('radio', { name: 'Out of service' })).toBeChecked();
    await dialog.getByRole('button', { name: 'Disable Bed' }).click();
    await expect.element(dialog.getByText('Required field.')).toBeVisible();
    await kinds.getByRole('radio', { name: 'Being cleaned' }).click();
    await expect.element(dialog.getByText('Required field.')).not.toBeInTheDocument();
    await expect.element(dialog.getByRole('textbox', { name: 'Reason (optional)' })).toHaveValue('');
    await dialog.getByLabelText('Expected back (optional)').fill('2062-12-01');
    await dialog.getByRole('button', { name: 'Disable Bed' }).click();
    await expect.element(dialog.getByText('Choose a day within a year from today.')).toBeVisible();
    await expectNoViolations();
    await dialog.getByLabelText('Expected back (optional)').fill('');
    await dialog.getByRole('button', { name: 'Disable Bed' }).click();
    await expect.element(screen.getByText('Bed b is disabled.')).toBeVisible();
    const cleaning = { disabled: true, disabledKind: 'cleaning', disabledReason: '' };
    expect(sent).toMatchObject([
      { ...cleaning, expectedBack: '2062-12-01' },
      { ...cleaning, expectedBack: null },
    ]);
  });

  it('are not disabled while only a part of the day is typed on which they are expected back', async () => {
    const bodies = record('put', '/api/Beds/b', bed('b'));
    const { screen, menu } = await openTab();
    await menu('Bed b, House 1', 'Disable Bed');
    const dialog = screen.getByRole('dialog', { name: 'Disable Bed b?' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Water damage');
    const day = dialog.getByLabelText('Expected back (optional)');
    (day.element() as HTMLElement).focus();
    await userEvent.keyboard('1224');
    await dialog.getByRole('button', { name: 'Disable Bed' }).click();
    await expect.element(day).toHaveAccessibleDescription('Enter a complete, valid date.');
    await expect.element(day).toHaveFocus();
    await expectNoViolations();
    expect(bodies).toEqual([]);
    await userEvent.keyboard('12242062');
    await dialog.getByRole('button', { name: 'Disable Bed' }).click();
    await expect.poll(() => bodies).toMatchObject([{ disabled: true, expectedBack: '2062-12-24' }]);
  });

  it('that are being cleaned are ready by one press', async () => {
    const on = record('put', '/api/Beds/b', bed('b'));
    const off = bed('b', { disabled: true, disabledKind: 'cleaning' });
    const { screen, menu } = await openTab(owner, siteDetails([room('1', [off])]));
    await menu('Bed b, House 1', 'Ready: Enable Bed');
    await expect.element(screen.getByText('Bed b is enabled.')).toBeVisible();
    expect(on).toMatchObject([{ disabled: false }]);
  });

  it.each([
    ['that were enabled are told so though the answer was lost', false, 'Bed b is enabled.'],
    ['that are still disabled are not told as enabled', true, /The server cannot be reached\./],
  ])('%s', async (_, disabled, message) => {
    serve(
      http.put('/api/Beds/b', () => HttpResponse.error()),
      answerGet('/api/Sites/s1', siteDetails([room('1', [bed('b', { disabled })])])),
    );
    const { screen, menu } = await openTab(owner, siteDetails([room('1', [bed('b', { disabled: true })])]));
    await menu('Bed b, House 1', 'Enable Bed');
    await expect.element(screen.getByText(message)).toBeVisible();
  });

  it('that are disabled say their kind, why and when they are expected back, on the tile and in the report', async () => {
    vi.spyOn(window, 'print').mockImplementation(() => void window.dispatchEvent(new Event('beforeprint')));
    const disabled = { disabled: true, expectedBack: '2026-12-01' };
    const beds = [
      bed('b', { ...disabled, disabledReason: 'Water damage' }),
      bed('c', { ...disabled, isOverdue: true }),
      bed('d', { disabled: true, disabledReason: 'Paint' }),
      bed('e', { disabled: true, disabledKind: 'cleaning' }),
      bed('f', { ...disabled, disabledKind: 'cleaning', disabledReason: 'Deep cleaning' }),
    ];
    const { screen } = await openTab(owner, siteDetails([room('1', beds)]));
    const tiles = screen.getByRole('listitem');
    await expect
      .element(tiles.nth(0))
      .toHaveTextContent(/Disabled.*Out of service: Water damage.*expected back on Dec 1, 2026/);
    await expect
      .element(tiles.nth(1))
      .toHaveTextContent(/Disabled.*Out of service.*overdue: was expected back on Dec 1, 2026/);
    await expect.element(tiles.nth(2)).toHaveTextContent(/Disabled.*Out of service: Paint/);
    await expect.element(tiles.nth(3)).toHaveTextContent(/Disabled.*Being cleaned/);
    await expect.element(tiles.nth(4)).toHaveTextContent(/Being cleaned: Deep cleaning.*expected back on Dec 1, 2026/);
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Print Report' }).click();
    const report = [...document.querySelectorAll('[data-print-report] tbody td:nth-child(3)')];
    expect(report.map((cell) => cell.textContent)).toEqual([
      'Disabled, Out of service: Water damage, expected back on Dec 1, 2026',
      'Disabled, Out of service, overdue: was expected back on Dec 1, 2026',
      'Disabled, Out of service: Paint',
      'Disabled, Being cleaned',
      'Disabled, Being cleaned: Deep cleaning, expected back on Dec 1, 2026',
    ]);
    window.dispatchEvent(new Event('afterprint'));
  });

  it('that are disabled get another kind, reason or day, and Save is off until something is changed', async () => {
    const bodies = record('put', '/api/Beds/b', bed('b'));
    const off = bed('b', { disabled: true, disabledReason: 'Water damage', expectedBack: '2026-12-01' });
    const { screen, menu } = await openTab(owner, siteDetails([room('1', [off])]));
    await menu('Bed b, House 1', 'Change Reason');
    const dialog = screen.getByRole('dialog', { name: 'Why is Bed b disabled?' });
    await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await expect.element(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue('Water damage');
    await dialog.getByRole('radio', { name: 'Being cleaned' }).click();
    await dialog.getByLabelText('Expected back (optional)').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Bed b was saved.')).toBeVisible();
    const saved = { disabled: true, disabledKind: 'cleaning', version: 1 };
    expect(bodies).toMatchObject([{ ...saved, disabledReason: 'Water damage', expectedBack: null }]);
  });
});
