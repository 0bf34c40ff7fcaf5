import { describe, expect, it } from 'vitest';
import type { HistoryRow } from './billing.utils';
import { partsOf, spendingOf } from './spending.utils';

function invoice(site: string, date: string, amount: number, fields: Partial<HistoryRow> = {}): HistoryRow {
  return {
    invoiceId: `${site} ${date}`,
    invoiceNumber: null,
    hostedInvoiceUrl: null,
    receiptUrl: null,
    date: `${date}T12:00:00Z`,
    description: 'Plan',
    amount,
    currency: 'usd',
    status: 'paid',
    siteId: site.toLowerCase(),
    siteName: site,
    ...fields,
  };
}

/** Year and month of each month. */
const monthsOf = (rows: readonly HistoryRow[]) =>
  spendingOf(rows).months.map(({ month }) => `${month.getFullYear()}-${month.getMonth() + 1}`);

describe('spending', () => {
  it('is added up by month and site, months without a payment included', () => {
    const rows = [
      invoice('Bay', '2026-03-05', 100),
      invoice('Bay', '2026-03-20', 50),
      invoice('Alto', '2026-01-20', 30),
    ];
    expect(spendingOf(rows)).toEqual({
      currency: 'usd',
      sites: [
        { id: 'alto', name: 'Alto' },
        { id: 'bay', name: 'Bay' },
      ],
      months: [
        { month: new Date(2026, 0, 1), amounts: [30, 0], total: 30 },
        { month: new Date(2026, 1, 1), amounts: [0, 0], total: 0 },
        { month: new Date(2026, 2, 1), amounts: [0, 150], total: 150 },
      ],
    });
  });

  it('has only what was paid', () => {
    const rows = [
      invoice('Bay', '2026-03-05', 100, { status: 'open' }),
      invoice('Bay', '2026-03-06', 0),
      invoice('Alto', '2026-03-07', 10),
    ];
    expect(spendingOf(rows).sites).toEqual([{ id: 'alto', name: 'Alto' }]);
    expect(spendingOf([])).toEqual({ currency: 'usd', sites: [], months: [] });
  });

  it('never adds amounts in two currencies', () => {
    const rows = [invoice('Bay', '2026-03-05', 100), invoice('Alto', '2026-03-04', 7, { currency: 'mxn' })];
    expect(spendingOf(rows)).toMatchObject({ currency: 'usd', sites: [{ id: 'bay' }], months: [{ total: 100 }] });
  });

  it('tells two sites of the same name apart', () => {
    const rows = [invoice('Bay', '2026-03-05', 1, { siteId: 'a' }), invoice('Bay', '2026-03-05', 2, { siteId: 'b' })];
    expect(spendingOf(rows).months[0]?.amounts).toEqual([1, 2]);
  });

  it('covers the last twelve months at most, over the turn of a year, and no site without a payment in them', () => {
    const rows = [invoice('Bay', '2026-02-05', 2), invoice('Bay', '2025-03-05', 1), invoice('Alto', '2025-02-05', 1)];
    const months = monthsOf(rows);
    expect([months.length, months[0], months.at(-1)]).toEqual([12, '2025-3', '2026-2']);
    expect(spendingOf(rows).sites).toEqual([{ id: 'bay', name: 'Bay' }]);
  });
});

describe('the parts of a bar', () => {
  const rows = (...names: string[]) =>
    [...names]
      .map((name, index) => invoice(name, '2026-03-05', (index + 1) * 10))
      .concat(invoice('C', '2026-04-05', 1));

  it('are the sites, up to five', () => {
    expect(partsOf(spendingOf(rows('A', 'B', 'C', 'D', 'E')))).toEqual({
      sites: ['A', 'B', 'C', 'D', 'E'].map((name) => ({ id: name.toLowerCase(), name })),
      amounts: [
        [10, 20, 30, 40, 50],
        [0, 0, 1, 0, 0],
      ],
    });
  });

  it('are the four sites that cost most, and all others together', () => {
    const { sites, amounts } = partsOf(spendingOf(rows('A', 'B', 'C', 'D', 'E', 'F')));
    expect(sites.map((site) => site?.name)).toEqual(['C', 'D', 'E', 'F', undefined]);
    expect(amounts).toEqual([
      [30, 40, 50, 60, 30],
      [1, 0, 0, 0, 0],
    ]);
  });
});
