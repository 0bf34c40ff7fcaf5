import { useState } from 'react';
import { expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { DataTable } from './data-table';
import type { DataColumn, DataTableProps, TableSearch } from './data-table.types';
import { useTableLook } from './use-table-look';

interface Person {
  id: string;
  name: string;
  days: number;
  city: string;
}

const PEOPLE: Person[] = [
  { id: 'p1', name: 'Ana', days: 3, city: 'Irvine' },
  { id: 'p2', name: 'Ben', days: 1, city: 'Orange' },
  { id: 'p3', name: 'Cora', days: 2, city: 'Tustin' },
];

const COLUMNS: DataColumn<Person>[] = [
  { id: 'name', header: 'Guest', cell: (person) => person.name, isTitle: true },
  { id: 'days', header: 'Days', cell: (person) => person.days, sortValue: (person) => person.days, numeric: true },
  { id: 'city', header: 'City', cell: (person) => person.city },
];

const anna = currentUser({ sub: 'anna' });
const ben = currentUser({ sub: 'ben' });

function People({ sort, ...props }: Partial<DataTableProps<Person>> & { sort?: string }) {
  const [search, setSearch] = useState<TableSearch>({ page: 0, direction: 'asc', sort });
  const [look, changeTable] = useTableLook('people', search);
  return (
    <DataTable
      label="People"
      columns={COLUMNS}
      rows={PEOPLE}
      rowId={({ id }) => id}
      mode="client"
      state={{ ...search, ...look }}
      onStateChange={(next) => changeTable(next, setSearch)}
      empty="Nobody"
      {...props}
    />
  );
}

const headings = () => [...document.querySelectorAll('th')].map((heading) => heading.textContent);
const names = () => [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('td')?.textContent);

/** Opens the menu and presses a column. */
async function press(screen: Awaited<ReturnType<typeof renderView>>, column: string) {
  await screen.getByRole('button', { name: /^Columns/ }).click();
  await screen.getByRole('menuitemcheckbox', { name: column }).click();
  await userEvent.keyboard('{Escape}');
}

/** What is on paper: the sheet of the table, or the table itself. Does what a browser does around printing. */
function printedTable() {
  window.dispatchEvent(new Event('beforeprint'));
  const table = document.querySelector('[data-print-report] table') ?? document.querySelector('table');
  const text = table?.textContent;
  window.dispatchEvent(new Event('afterprint'));
  return text;
}

it('offers every column but the one that names the rows', async () => {
  const screen = await renderView(<People />, { user: anna });
  const button = screen.getByRole('button', { name: 'Columns' });
  expect(button.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(24);
  await button.click();
  await expect.element(screen.getByRole('menuitemcheckbox', { name: 'Days' })).toBeChecked();
  const choices = screen.getByRole('menuitemcheckbox').elements();
  expect(choices.map(({ textContent }) => textContent)).toEqual(['Days', 'City']);
  expect(Math.min(...choices.map((choice) => choice.getBoundingClientRect().height))).toBeGreaterThanOrEqual(24);
  await expectNoViolations();
});

it('leaves a column out until the person shows it again, here and after coming back', async () => {
  const screen = await renderView(<People />, { user: anna });
  await press(screen, 'City');
  await expect.poll(headings).toEqual(['Guest', 'Days']);
  await expect.element(screen.getByRole('button', { name: 'Columns (1 hidden)' })).toBeVisible();
  await screen.unmount();

  const again = await renderView(<People />, { user: anna });
  await expect.element(again.getByText('Ana')).toBeVisible();
  expect(headings()).toEqual(['Guest', 'Days']);
  await again.getByRole('button', { name: 'Columns (1 hidden)' }).click();
  await expect.element(again.getByRole('menuitemcheckbox', { name: 'City' })).not.toBeChecked();
  await again.getByRole('menuitem', { name: 'Show all columns' }).click();
  await expect.poll(headings).toEqual(['Guest', 'Days', 'City']);
  await expect.element(again.getByRole('button', { name: 'Columns', exact: true })).toHaveFocus();
});

it('leaves no column out for somebody else on the same computer', async () => {
  const screen = await renderView(<People />, { user: anna });
  await press(screen, 'City');
  await expect.poll(headings).toEqual(['Guest', 'Days']);
  await screen.unmount();
  const other = await renderView(<People />, { user: ben });
  await expect.element(other.getByText('Ana')).toBeVisible();
  expect(headings()).toEqual(['Guest', 'Days', 'City']);
});

it('is used by keys alone, and gives the focus back', async () => {
  const screen = await renderView(<People />, { user: anna });
  const button = screen.getByRole('button', { name: /^Columns/ });
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('menuitemcheckbox', { name: 'Days' })).toBeVisible();
  await userEvent.keyboard('{ArrowDown}c');
  await expect.element(screen.getByRole('menuitemcheckbox', { name: 'City' })).toHaveFocus();
  await userEvent.keyboard(' ');
  await expect.element(screen.getByRole('menuitemcheckbox', { name: 'City' })).not.toBeChecked();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
  expect(headings()).toEqual(['Guest', 'Days']);
});

it('keeps the order of a column that is hidden', async () => {
  const screen = await renderView(<People />, { user: anna });
  await screen.getByRole('button', { name: 'Days' }).click();
  await expect.poll(names).toEqual(['Ben', 'Cora', 'Ana']);
  await press(screen, 'Days');
  await expect.poll(headings).toEqual(['Guest', 'City']);
  expect(names()).toEqual(['Ben', 'Cora', 'Ana']);
  await screen.unmount();
  await renderView(<People sort="days" />, { user: anna });
  await expect.poll(headings).toEqual(['Guest', 'City']);
  expect(names()).toEqual(['Ben', 'Cora', 'Ana']);
});

it('leaves the column out of the cards of a phone, which can still be sorted by it', async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1360, 900));
  const screen = await renderView(<People />, { user: anna });
  await press(screen, 'Days');
  const cards = screen.getByRole('list', { name: 'People' });
  await expect.element(cards.getByText('Days').first()).not.toBeInTheDocument();
  await expect.element(cards.getByText('Irvine')).toBeVisible();
  await screen.getByLabelText('Sort by').selectOptions('days:asc');
  await expect.poll(() => cards.getByRole('listitem').elements()[0]?.textContent).toContain('Ben');
  await expectNoViolations();
});

it.each([
  ['as a sheet of its own', { print: { title: 'People', site: { name: 'Harbor House' } } }],
  ['as it stands', {}],
])('is printed with all columns, %s', async (_, props) => {
  const screen = await renderView(<People {...props} />, { user: anna });
  await press(screen, 'City');
  await expect.poll(headings).toEqual(['Guest', 'Days']);
  expect(printedTable()).toContain('Irvine');
  await expect.poll(headings).toEqual(['Guest', 'Days']);
});

it('stands below a table that is shown whole, too', async () => {
  const screen = await renderView(<People unpaged />, { user: anna });
  await press(screen, 'City');
  await expect.poll(headings).toEqual(['Guest', 'Days']);
  await expect.element(screen.getByLabelText('Rows per page')).not.toBeInTheDocument();
  await screen.getByLabelText('Dense').click();
  await screen.unmount();
  const again = await renderView(<People unpaged />, { user: anna });
  await expect.element(again.getByLabelText('Dense')).toBeChecked();
  expect(headings()).toEqual(['Guest', 'Days']);
});
