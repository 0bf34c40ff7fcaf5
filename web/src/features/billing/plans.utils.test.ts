import { describe, expect, it } from 'vitest';
import { aboutPlan, discount, laterPayments, plansOf, savings } from './plans.utils';

const price = (unitAmountInDollars: number, durationInMonths: number) => ({
  priceId: 'price',
  currency: 'usd',
  interval: durationInMonths === 12 ? ('year' as const) : ('month' as const),
  intervalCount: 1,
  durationInMonths,
  unitAmountInDollars,
});

describe('the plans', () => {
  it('stand by their periods, and the cheapest plan of a period comes first', () => {
    const product = (name: string, month: number, year: number) => ({
      productId: name,
      name,
      description: null,
      descriptionEs: null,
      prices: [price(month, 1), price(year, 12)],
    });
    const plans = plansOf([product('Plus', 1450, 15_600), product('Standard', 1350, 14_400)]);
    expect(plans.map((plan) => `${plan.name} ${plan.price.interval}`)).toEqual([
      'Standard month',
      'Plus month',
      'Standard year',
      'Plus year',
    ]);
  });
});

describe('what a plan says of itself', () => {
  const both = { description: 'For one site.', descriptionEs: 'Para un centro.' };
  it.each([
    ['in English', both, 'en', { text: 'For one site.', lang: 'en' }],
    ['in Spanish', both, 'es', { text: 'Para un centro.', lang: 'es' }],
    [
      'in English if there is nothing else',
      { ...both, descriptionEs: null },
      'es',
      { text: 'For one site.', lang: 'en' },
    ],
    ['nothing', { description: null, descriptionEs: null }, 'en', null],
  ])('%s', (_name, plan, language, expected) => expect(aboutPlan(plan, language)).toEqual(expected));
});

describe('what a plan saves', () => {
  it.each([
    ['a month below 1500 dollars', price(1200, 1), 300],
    ['a year below 12 times 1500 dollars', price(12_000, 12), 6000],
    ['three months below 3 times 1500 dollars', price(4000, 3), 500],
    ['nothing at the reference price', price(1500, 1), 0],
    ['nothing above it', price(1600, 1), 0],
  ])('%s', (_name, plan, saved) => expect(savings(plan)).toBe(saved));
});

describe('what a coupon takes off', () => {
  it.each([
    ['percent', { percentOff: 20, amountOffInDollars: null }, 240],
    ['percent, to the cent', { percentOff: 33.333, amountOffInDollars: null }, 400],
    ['dollars', { percentOff: null, amountOffInDollars: 50 }, 50],
    ['no more than the price', { percentOff: null, amountOffInDollars: 5000 }, 1200],
    ['nothing', { percentOff: null, amountOffInDollars: null }, 0],
  ])('%s', (_name, coupon, off) => expect(discount(price(1200, 1), coupon)).toBe(off));
});

describe('the payments after the first', () => {
  const off = { percentOff: 20, amountOffInDollars: null };
  const first = new Date('2026-01-31T12:00:00Z');
  it.each([
    ['without a code', price(1200, 1), undefined, 'Feb 28: 1200', undefined],
    [
      'with a code for one payment',
      price(1200, 1),
      { duration: 'once', durationInMonths: null },
      'Feb 28: 1200',
      undefined,
    ],
    ['with a code forever', price(1200, 1), { duration: 'forever', durationInMonths: null }, 'Feb 28: 960', undefined],
    [
      'with a code for months',
      price(1200, 1),
      { duration: 'repeating', durationInMonths: 3 },
      'Feb 28: 960',
      'Apr 30: 1200',
    ],
    [
      'with a code for months in one year',
      price(12_000, 12),
      { duration: 'repeating', durationInMonths: 3 },
      'Jan 31: 12000',
      undefined,
    ],
  ])('%s', (_name, plan, coupon, next, full) => {
    const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
    const later = laterPayments(plan, coupon && { ...off, ...coupon }, first);
    const told = [later.next, later.full].map((payment) => payment && `${day.format(payment.at)}: ${payment.amount}`);
    expect(told).toEqual([next, full]);
  });
});
