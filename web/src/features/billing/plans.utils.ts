import type { Schemas } from '@/api/client';
import type { ChosenPlan } from './plan.types';

type Price = Schemas['CatalogPrice'];
type Coupon = Pick<Schemas['CouponAnswer'], 'percentOff' | 'amountOffInDollars'>;
type TimedCoupon = Pick<Schemas['CouponAnswer'], keyof Coupon | 'duration' | 'durationInMonths'>;

/** Monthly price in dollars that savings are shown against (spec B section 9). */
const REFERENCE_DOLLARS_A_MONTH = 1500;

/**
 * Each price of each product is one plan: the shortest period first, and the cheapest plan of a period first, so that the
 * plan that is chosen beforehand never costs more than another one.
 */
export function plansOf(products: readonly Schemas['CatalogProduct'][]): ChosenPlan['plan'][] {
  return products
    .flatMap(({ prices, name, description, descriptionEs }) =>
      prices.map((price) => ({ name, description, descriptionEs, price })),
    )
    .toSorted(
      ({ price: a }, { price: b }) =>
        a.durationInMonths - b.durationInMonths || a.unitAmountInDollars - b.unitAmountInDollars,
    );
}

/** What a plan says of itself in a language, and in which language that is. */
export function aboutPlan(
  { description, descriptionEs }: Pick<ChosenPlan['plan'], 'description' | 'descriptionEs'>,
  language: string,
): { text: string; lang: 'en' | 'es' } | null {
  if (language === 'es' && descriptionEs) return { text: descriptionEs, lang: 'es' };
  return description ? { text: description, lang: 'en' } : null;
}

/** Dollars saved in one period against the reference price; 0 if the plan is not cheaper. */
export function savings(price: Price): number {
  return Math.max(0, referencePrice(price) - price.unitAmountInDollars);
}

/** The reference price of one period in dollars. */
export function referencePrice({ durationInMonths }: Price): number {
  return REFERENCE_DOLLARS_A_MONTH * durationInMonths;
}

/** Dollars that a coupon takes off a price, to the cent and never more than the price. */
export function discount({ unitAmountInDollars }: Price, { percentOff, amountOffInDollars }: Coupon): number {
  const off = percentOff === null ? (amountOffInDollars ?? 0) : (unitAmountInDollars * percentOff) / 100;
  return Math.min(unitAmountInDollars, Math.round(off * 100) / 100);
}

/** A payment to come. */
interface Payment {
  at: Date;
  /** In dollars. */
  amount: number;
}

/** What is charged after the first payment. */
export interface LaterPayments {
  next: Payment;
  /** The first payment at the full price, if the promo code also counts for the next one but not forever. */
  full?: Payment;
}

/** The payments that follow a first one at `first`. Stripe decides; the last day of a short month is kept as it does. */
export function laterPayments(price: Price, coupon: TimedCoupon | undefined, first: Date): LaterPayments {
  const { durationInMonths: months, unitAmountInDollars: amount } = price;
  const at = (periods: number) => addMonths(first, periods * months);
  const reduced = coupon ? amount - discount(price, coupon) : amount;
  const monthsOff = { forever: Infinity, repeating: coupon?.durationInMonths ?? 0 }[coupon?.duration ?? ''] ?? 0;
  if (monthsOff <= months || reduced === amount) return { next: { at: at(1), amount } };
  const next = { at: at(1), amount: reduced };
  return monthsOff === Infinity ? { next } : { next, full: { at: at(Math.ceil(monthsOff / months)), amount } };
}

/** The same day some months later, or the last day of that month if it is shorter; in UTC, like Stripe. */
function addMonths(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCMonth(from.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return end;
}
