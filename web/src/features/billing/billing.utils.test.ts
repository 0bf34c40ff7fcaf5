import { describe, expect, it } from 'vitest';
import { actionOf, historyRows, isPageAddress } from './billing.utils';

describe('the action for a subscription', () => {
  it.each([
    ['active', 'cancel'],
    ['incomplete', 'restart'],
    ['incomplete_expired', 'restart'],
    ['past_due', 'restart'],
    ['none', 'start'],
    ['canceled', 'start'],
    ['trialing', undefined],
    ['unpaid', undefined],
  ] as const)('that is %s is %s', (status, action) => expect(actionOf(status)).toBe(action));
});

describe('a page of the card provider', () => {
  it.each(['https://invoice.stripe.com/i/1', 'http://localhost:8080/x', '/dev/stripe/invoices/in_1'])(
    '%s is opened',
    (address) => expect(isPageAddress(address)).toBe(true),
  );

  it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example/x', '/\\evil.example', 'invoices/in_1', ''])(
    '%s is not',
    (address) => expect(isPageAddress(address)).toBe(false),
  );
});

it('the billing history has the invoices of all sites, newest first', () => {
  const item = (invoiceId: string, date: string) => ({
    invoiceId,
    date,
    invoiceNumber: null,
    description: 'Plan',
    amount: 1,
    currency: 'usd',
    status: 'paid',
    hostedInvoiceUrl: null,
    receiptUrl: null,
  });
  const rows = historyRows([
    { siteId: 'a', siteName: 'A', items: [item('3', '2026-03-01T00:00:00Z'), item('1', '2026-01-01T00:00:00Z')] },
    { siteId: 'b', siteName: 'B', items: [item('2', '2026-02-01T00:00:00Z')] },
  ]);
  expect(rows.map(({ invoiceId, siteName }) => `${invoiceId} ${siteName}`)).toEqual(['3 A', '2 B', '1 A']);
});
