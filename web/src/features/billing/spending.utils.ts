import type { HistoryRow } from './billing.utils';

/** Months that are shown at most, the latest ones. */
const MAX_MONTHS = 12;

/** Sites that the chart tells apart; it adds up the smaller ones of a longer list. */
const MAX_PARTS = 5;

/** A site with payments. */
export interface PaidSite {
  id: string;
  name: string;
}

/** What was paid for the sites in one month. */
export interface MonthOfSpending {
  /** First day of the month, in the time zone of the browser. */
  month: Date;
  /** Amounts in the currency, in the order of the sites. */
  amounts: number[];
  total: number;
}

/** What an organization has paid, by month and site. */
export interface Spending {
  /** ISO code, in lower case. */
  currency: string;
  /** Sites with a payment in one of the months, by name. */
  sites: PaidSite[];
  /** Every month from the first to the last payment, twelve at most, the oldest first. */
  months: MonthOfSpending[];
}

/**
 * Adds up the paid invoices by site and month. Months begin in the time zone of the browser, as the dates of the billing
 * history do. Only invoices in the currency of the latest one count, since amounts in two currencies have no sum.
 */
export function spendingOf(rows: readonly HistoryRow[]): Spending {
  const all = rows.filter(({ status, amount }) => status === 'paid' && amount > 0);
  const currency = all[0]?.currency ?? 'usd';
  const paid = all
    .filter((row) => row.currency === currency)
    .map(({ siteId, siteName, date, amount }) => ({ siteId, siteName, amount, month: monthNumber(date) }));
  const last = Math.max(...paid.map(({ month }) => month));
  const shown = paid.filter(({ month }) => month > last - MAX_MONTHS);
  const first = Math.min(...shown.map(({ month }) => month));
  const names = new Map(shown.map(({ siteId, siteName }) => [siteId, siteName]));
  const sites = [...names]
    .map(([id, name]) => ({ id, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  const months: MonthOfSpending[] = [];
  for (let number = first; number <= last; number += 1) {
    const amounts = sites.map(({ id }) =>
      sum(shown.filter(({ siteId, month }) => siteId === id && month === number).map(({ amount }) => amount)),
    );
    months.push({ month: new Date(Math.floor(number / 12), number % 12, 1), amounts, total: sum(amounts) });
  }
  return { currency, sites, months };
}

/** The parts of the chart's bars: a site each, and null for the sum of all smaller sites. */
export interface Parts {
  sites: (PaidSite | null)[];
  /** For each month, amounts in the order of `sites`. */
  amounts: number[][];
}

/** Picks the sites that the chart tells apart. With more than five, the four that cost most, and the others as one part. */
export function partsOf({ sites, months }: Spending): Parts {
  if (sites.length <= MAX_PARTS) return { sites, amounts: months.map(({ amounts }) => amounts) };
  const totals = sites.map((_, index) => sum(months.map(({ amounts }) => amounts[index] ?? 0)));
  const byCost = sites.map((_, index) => index).toSorted((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0));
  const large = byCost.slice(0, MAX_PARTS - 1).toSorted((a, b) => a - b);
  return {
    sites: [...large.map((index) => sites[index] ?? null), null],
    amounts: months.map(({ amounts, total }) => {
      const own = large.map((index) => amounts[index] ?? 0);
      return [...own, total - sum(own)];
    }),
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** Months since the year 0. */
function monthNumber(date: string): number {
  const at = new Date(date);
  return at.getFullYear() * 12 + at.getMonth();
}
