import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { changeLanguage } from '@/i18n/i18n';
import { writePreference } from '@/lib/preferences';
import { expectNoViolations } from '@/testing/axe';
import { siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { answerGet, onePage, serve } from '@/testing/server';
import { open, S1, S2, setUpToday, shift, tearDownToday } from '@/testing/today-world';

beforeEach(setUpToday);
afterEach(tearDownToday);

const ines = currentUser({ role_intake_site_ids: `${S1},${S2}`, sub: 'ines' });
const omar = currentUser({ role_intake_site_ids: `${S1},${S2}`, sub: 'omar' });
const BAY = `siteId=${S2}&service=medical-detox`;

const openAs = (user = ines, path = '/today') => open(shift(), user, path);
const keptNames = () =>
  page
    .getByRole('list', { name: 'Kept filters' })
    .getByRole('link')
    .elements()
    .map((link) => link.textContent);
const storedText = () => JSON.stringify(Object.entries(localStorage).filter(([key]) => key.includes('savedFilters')));

describe('a filter', () => {
  it('is kept by one press, is named by its values, and is there again', async () => {
    const { screen } = await openAs();
    await screen.getByRole('combobox', { name: 'Service' }).selectOptions('Medical detox');
    await screen.getByRole('combobox', { name: 'Site' }).click();
    await screen.getByRole('option', { name: 'Bay House' }).click();
    await screen.getByRole('button', { name: 'Keep this filter' }).click();
    const link = screen.getByRole('link', { name: 'Bay House · Medical detox' });
    await expect.element(link).toHaveFocus();
    await expect.element(screen.getByRole('button', { name: 'Keep this filter' })).not.toBeInTheDocument();
    await expectNoViolations();
    expect(storedText()).toContain(S2);
    expect(storedText()).not.toMatch(/Bay|Medical/);
    await screen.unmount();

    const { screen: again, asked } = await openAs();
    await again.getByRole('link', { name: 'Bay House · Medical detox' }).click();
    await expect.poll(() => again.router.state.location.search).toEqual({ service: 'medical-detox', siteId: S2 });
    await expect.element(again.getByRole('combobox', { name: 'Service' })).toHaveValue('medical-detox');
    await expect.poll(() => asked.at(-1)).toContain(`siteId=${S2}`);
    await expect
      .element(again.getByRole('link', { name: 'Bay House · Medical detox' }))
      .toHaveAttribute('aria-current', 'page');
  });

  it('that is part of another one is not the one that is shown', async () => {
    writePreference('savedFilters.today.ines', `siteId=${S2} ${BAY}`);
    const { screen } = await openAs(ines, `/today?${BAY}`);
    await expect.poll(keptNames).toEqual(['Bay House', 'Bay House · Medical detox']);
    await expect
      .element(screen.getByRole('link', { name: 'Bay House · Medical detox' }))
      .toHaveAttribute('aria-current', 'page');
    await expect
      .element(screen.getByRole('list', { name: 'Kept filters' }).getByRole('link').first())
      .not.toHaveAttribute('aria-current');
  });

  it('is removed for good, and the focus goes to the next one, then to the heading', async () => {
    writePreference('savedFilters.today.ines', `${BAY} payer=MediCal`);
    const { screen } = await openAs();
    await screen.getByRole('button', { name: 'Remove the filter Bay House · Medical detox' }).click();
    await expect.element(screen.getByRole('link', { name: 'Medicaid or Medi-Cal' })).toHaveFocus();
    await userEvent.keyboard('{Tab}{Enter}');
    await expect.element(screen.getByRole('list', { name: 'Kept filters' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('heading', { name: 'Today', exact: true })).toHaveFocus();
    await screen.unmount();
    const { screen: again } = await openAs();
    await expect.element(again.getByText('Anna B.')).toBeVisible();
    await expect.element(again.getByRole('list', { name: 'Kept filters' })).not.toBeInTheDocument();
  });

  it('is not there for somebody else on the same computer', async () => {
    const { screen } = await openAs(ines, '/today?payer=MediCal');
    await screen.getByRole('button', { name: 'Keep this filter' }).click();
    await expect.poll(keptNames).toEqual(['Medicaid or Medi-Cal']);
    await screen.unmount();
    const { screen: other } = await openAs(omar);
    await expect.element(other.getByText('Anna B.')).toBeVisible();
    await expect.element(other.getByRole('list', { name: 'Kept filters' })).not.toBeInTheDocument();
  });

  it('is there on another device, until other ones are kept or removed there', async () => {
    const elsewhere = (text: string) =>
      currentUser({ role_intake_site_ids: `${S1},${S2}`, sub: 'ines', views: { 'savedFilters.today': text } });
    const { screen } = await openAs(elsewhere(`${BAY} payer=MediCal`));
    await expect.poll(keptNames).toEqual(['Bay House · Medical detox', 'Medicaid or Medi-Cal']);
    expect(storedText()).toBe('[]');
    await screen.getByRole('button', { name: 'Remove the filter Medicaid or Medi-Cal' }).click();
    await expect.poll(keptNames).toEqual(['Bay House · Medical detox']);
    await screen.unmount();
    const { screen: again } = await openAs(elsewhere('payer=Scholarship'));
    await expect.poll(keptNames).toEqual(['Bay House · Medical detox']);
    await again.getByRole('button', { name: 'Remove the filter Bay House · Medical detox' }).click();
    await again.unmount();
    const { screen: last } = await openAs(elsewhere('payer=Scholarship'));
    await expect.element(last.getByText('Anna B.')).toBeVisible();
    await expect.element(last.getByRole('list', { name: 'Kept filters' })).not.toBeInTheDocument();
  });

  it('is left out when its site or its service is gone', async () => {
    serve(
      answerGet(
        '/api/Sites',
        onePage([
          { ...siteDetails([]), id: S1 },
          { ...siteDetails([]), id: 'x' },
        ]),
      ),
    );
    writePreference('savedFilters.today.ines', `siteId=${S2} service=gone payer=MediCal`);
    const { screen } = await openAs();
    await expect.poll(keptNames).toEqual(['Medicaid or Medi-Cal']);
    await expect.element(screen.getByRole('combobox', { name: 'Site' })).toBeVisible();
    expect(keptNames()).toEqual(['Medicaid or Medi-Cal']);
  });
});

it('there is nothing to keep without a filter', async () => {
  const { screen } = await openAs();
  await expect.element(screen.getByText('Anna B.')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Keep this filter' })).not.toBeInTheDocument();
});

it('eight filters are kept, and the button says why there is no ninth', async () => {
  const PAYERS = ['PrivatePay', 'Insurance', 'MediCal', 'SlidingScale'];
  const eight = [S1, S2].flatMap((siteId) => PAYERS.map((payer) => `siteId=${siteId}&payer=${payer}`));
  writePreference('savedFilters.today.ines', eight.join(' '));
  const { screen } = await openAs(ines, '/today?payer=Scholarship');
  await expect.poll(() => keptNames().length).toBe(8);
  const keep = screen.getByRole('button', { name: 'Keep this filter' });
  await expect.element(keep).toHaveAccessibleDescription('You can keep 8 filters. Remove one to keep another.');
  (keep.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  expect(keptNames()).toHaveLength(8);
  expect(storedText()).not.toContain('Scholarship');
  await screen.getByRole('button', { name: /^Remove the filter Bay House · Private pay/ }).click();
  await keep.click();
  await expect.poll(() => keptNames().at(-1)).toBe('Scholarship');
});

it('a filter whose site is gone makes room for another', async () => {
  serve(answerGet('/api/Sites', onePage([{ ...siteDetails([]), id: S1 }])));
  const seven = Array.from({ length: 7 }, (_, index) => `siteId=${S2.slice(0, -1)}${index + 3}`);
  writePreference('savedFilters.today.ines', [...seven, 'payer=MediCal'].join(' '));
  const { screen } = await openAs(ines, '/today?payer=Scholarship');
  await expect.poll(keptNames).toEqual(['Medicaid or Medi-Cal']);
  await screen.getByRole('button', { name: 'Keep this filter' }).click();
  await expect.poll(keptNames).toEqual(['Medicaid or Medi-Cal', 'Scholarship']);
  expect(storedText()).not.toContain('siteId');
});

it.each(['en', 'es'] as const)('kept filters fit a phone and a finger: %s', async (language) => {
  await page.viewport(390, 844);
  await changeLanguage(language);
  writePreference('savedFilters.today.ines', `${BAY}&payer=SlidingScale siteId=${S1} payer=MediCal`);
  const { screen } = await openAs();
  const chips = screen.getByRole('list', { name: language === 'en' ? 'Kept filters' : 'Filtros guardados' });
  await expect.poll(() => chips.getByRole('link').elements().length).toBe(3);
  const controls = [...chips.getByRole('link').elements(), ...chips.getByRole('button').elements()];
  expect(Math.min(...controls.map((control) => control.getBoundingClientRect().height))).toBeGreaterThanOrEqual(24);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await expectNoViolations();
});
