import { TextInput } from '@mantine/core';
import type { RowSelectionState } from '@tanstack/react-table';
import { Profiler, useState } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { expectNoViolations } from '@/testing/axe';
import { renderView } from '@/testing/render';
import { DataTable } from './data-table';
import type { DataColumn, DataTableProps, TableState } from './data-table.types';

interface Person {
  id: string;
  name: string;
  days: number;
}

const PEOPLE: Person[] = Array.from({ length: 12 }, (_, index) => ({
  id: `p${index + 1}`,
  name: `Person ${index + 1}`,
  days: 30 - index,
}));

const COLUMNS: DataColumn<Person>[] = [
  { id: 'name', header: 'Guest', cell: (person) => person.name, sortValue: (person) => person.name },
  { id: 'days', header: 'Days', cell: (person) => person.days, sortValue: (person) => person.days, numeric: true },
];

function People(props: Partial<DataTableProps<Person>>) {
  const [state, setState] = useState<TableState>({ page: 0, size: 5, direction: 'asc', dense: false, sort: 'name' });
  const [selected, setSelected] = useState<RowSelectionState>({});
  return (
    <DataTable
      label="People"
      columns={COLUMNS}
      rows={PEOPLE}
      rowId={(person) => person.id}
      mode="client"
      state={state}
      onStateChange={setState}
      selection={{ selected, onChange: setSelected, rowLabel: (id) => id }}
      empty="Nobody"
      {...props}
    />
  );
}

const names = () =>
  [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('td:nth-child(2)')?.textContent);

it('sorts as people read, turns round on a second press, and tells it', async () => {
  const screen = await renderView(<People />);
  await expect.element(screen.getByRole('columnheader', { name: 'Guest' })).toHaveAttribute('aria-sort', 'ascending');
  expect(names()).toEqual(['Person 1', 'Person 2', 'Person 3', 'Person 4', 'Person 5']);
  await screen.getByRole('button', { name: 'Days' }).click();
  expect(names()[0]).toBe('Person 12');
  await screen.getByRole('button', { name: 'Days' }).click();
  await expect.element(screen.getByRole('columnheader', { name: 'Days' })).toHaveAttribute('aria-sort', 'descending');
  expect(names()[0]).toBe('Person 1');
});

it('numbers end where their heading ends, sorted or not', async () => {
  const screen = await renderView(<People />);
  const endOf = (element: Element | null | undefined) => {
    const range = document.createRange();
    const text = [...(element?.childNodes ?? [])].find((node) => node.nodeType === Node.TEXT_NODE);
    if (text) range.selectNode(text);
    return Math.round(range.getBoundingClientRect().right);
  };
  const heading = screen.getByRole('button', { name: 'Days' });
  const number = () => endOf(document.querySelector('tbody td[data-numeric]'));
  expect(endOf(heading.element())).toBe(number());
  await heading.click();
  await expect.element(screen.getByRole('columnheader', { name: 'Days' })).toHaveAttribute('aria-sort', 'ascending');
  expect(endOf(heading.element())).toBe(number());
});

it('the choice of the page size is as high as every other field', async () => {
  const screen = await renderView(
    <>
      <TextInput label="Name" />
      <People />
    </>,
  );
  const heightOf = (label: string) => screen.getByLabelText(label).element().getBoundingClientRect().height;
  expect(heightOf('Rows per page')).toBe(heightOf('Name'));
});

it('pages, changes its size, and has rows of 53 and 33 px', async () => {
  const screen = await renderView(<People />);
  const height = () => Math.round(document.querySelector('tbody tr')?.getBoundingClientRect().height ?? 0);
  expect(height()).toBe(53);
  await screen.getByRole('button', { name: 'Next page' }).click();
  await expect.element(screen.getByText('6–10 of 12')).toBeVisible();
  const sizes = screen.getByLabelText('Rows per page').element() as HTMLSelectElement;
  expect([...sizes.options].map(({ value }) => value)).toEqual(['5', '10', '25', '100', '250']);
  await screen.getByLabelText('Rows per page').selectOptions('25');
  await expect.element(screen.getByText('1–12 of 12')).toBeVisible();
  await screen.getByLabelText('Dense').click();
  expect(height()).toBe(33);
  await expectNoViolations();
});

it('says on paper which rows these are, of how many', async () => {
  const screen = await renderView(<People />);
  await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
  onTestFinished(async () => {
    await cdp().send('Emulation.setEmulatedMedia', { media: '' });
  });
  await expect.element(screen.getByText('1–5 of 12')).toBeVisible();
  await expect.element(screen.getByLabelText('Rows per page')).not.toBeVisible();
  await expect.element(screen.getByLabelText('Dense')).not.toBeVisible();
});

it('draws all rows of a long list, the first of them at once', async () => {
  const many = Array.from({ length: 500 }, (_, index) => ({ id: `m${index}`, name: `Person ${index}`, days: index }));
  const seen: number[] = [];
  await renderView(
    <Profiler id="table" onRender={() => seen.push(names().length)}>
      <People rows={many} unpaged />
    </Profiler>,
  );
  await expect.poll(() => names().length).toBe(500);
  expect(seen.find((rows) => rows > 0)).toBe(60);
});

it('selects rows over pages and says how many', async () => {
  const screen = await renderView(<People />);
  await screen.getByLabelText('Select all on this page').click();
  await expect.element(screen.getByText('5 selected')).toBeVisible();
  await screen.getByRole('button', { name: 'Next page' }).click();
  await screen.getByLabelText('Select p6').click();
  await expect.element(screen.getByText('6 selected')).toBeVisible();
  await expectNoViolations();
});

it('selects with Shift all rows since the last one', async () => {
  const screen = await renderView(<People />);
  await screen.getByLabelText('Select p2').click();
  await screen.getByLabelText('Select p4').click({ modifiers: ['Shift'] });
  await expect.element(screen.getByText('3 selected')).toBeVisible();
  await expect.element(screen.getByLabelText('Select p3')).toBeChecked();
});

it('opens a row by click and by keyboard, and its actions do not', async () => {
  const open = vi.fn<(person: Person) => void>();
  const accept = vi.fn<() => void>();
  const screen = await renderView(
    <People
      onRowClick={open}
      rowActions={(person) => [{ label: 'Accept', accessibleLabel: `Accept ${person.name}`, onSelect: accept }]}
    />,
  );
  await screen.getByRole('cell', { name: '30' }).click();
  expect(open).toHaveBeenCalledTimes(1);
  await screen.getByRole('button', { name: 'Person 2', exact: true }).click();
  expect(open).toHaveBeenLastCalledWith(PEOPLE[1]);
  const action = screen.getByRole('button', { name: 'Accept Person 2' });
  (action.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  expect(accept).toHaveBeenCalledTimes(1);
  expect(open).toHaveBeenCalledTimes(2);
  expect(getComputedStyle(action.element().parentElement as HTMLElement).opacity).toBe('1');
});

it('is a list of cards on a phone', async () => {
  await page.viewport(390, 844);
  const screen = await renderView(
    <People
      rowActions={(person) => [{ label: 'Accept', accessibleLabel: `Accept ${person.name}`, onSelect: vi.fn() }]}
    />,
  );
  await expect.element(screen.getByRole('list', { name: 'People' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Accept Person 1' })).toBeVisible();
  await screen.getByLabelText('Sort by').selectOptions('days:asc');
  await expect.element(screen.getByText('Person 12')).toBeVisible();
  await expectNoViolations();
  await page.viewport(1360, 900);
});

it('names the order that the rows have on a phone, and leads back to it', async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1360, 900));
  function Unsorted() {
    const [state, setState] = useState<TableState>({ page: 0, size: 5, direction: 'asc', dense: false });
    return <People state={state} onStateChange={setState} order="Most urgent first" />;
  }
  const screen = await renderView(<Unsorted />);
  const menu = screen.getByLabelText('Sort by');
  await expect.element(menu).toHaveDisplayValue('Most urgent first');
  await menu.selectOptions('days:asc');
  await expect.element(screen.getByText('Person 12')).toBeVisible();
  await menu.selectOptions('Most urgent first');
  await expect.element(screen.getByText('Person 12')).not.toBeInTheDocument();
  await expect.element(menu).toHaveDisplayValue('Most urgent first');
});

it('keeps its headings and the names of its rows on paper, without what is pressed', async () => {
  const paper = (media: string) => cdp().send('Emulation.setEmulatedMedia', { media });
  onTestFinished(async () => void (await paper('')));
  const screen = await renderView(
    <People
      onRowClick={vi.fn()}
      rowActions={(person) => [{ label: 'Accept', accessibleLabel: `Accept ${person.name}`, onSelect: vi.fn() }]}
    />,
  );
  await expect.element(screen.getByText('Person 1', { exact: true })).toBeVisible();
  await paper('print');
  await expect.element(screen.getByText('Guest')).toBeVisible();
  await expect.element(screen.getByText('Person 1', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('Accept').first()).not.toBeVisible();
});

it('says what stands in place of nothing', async () => {
  const screen = await renderView(<People rows={[]} />);
  await expect.element(screen.getByText('Nobody')).toBeVisible();
});
