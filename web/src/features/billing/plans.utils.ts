import type { Schemas } from '@/api/client';
import type { ChosenPlan } from './plan.types';

type Price = Schemas['CatalogPrice'];
type Coupon = Pick<Schemas['CouponAnswer'], 'percentOff' | 'amountOffInDollars'>;

/** Monthly price in dollars that savings are shown against (spec B section 9). */
const REFERENCE_DOLLARS_A_MONTH = 1500;

/**
 * Each price of each product is one plan: the shortest period first, and the cheapest plan of a period first, so that the
 * plan that is chosen beforehand never costs more than another one.
 */
export function plansOf(products: readonly Schemas['CatalogProduct'][]): ChosenPlan['plan'][] {
  return products
    .flatMap(({ name, description, prices }) => prices.map((price) => ({ name, description, price })))
    .toSorted(
      ({ price: a }, { price: b }) =>
        a.durationInMonths - b.durationInMonths || a.unitAmountInDollars - b.unitAmountInDollars,
    );
}

/** Dollars saved in one period against the reference price; 0 if the plan is not cheaper. */
export function savings({ unitAmountInDollars, durationInMonths }: Price): number {
  return Math.max(0, REFERENCE_DOLLARS_A_MONTH * durationInMonths - unitAmountInDollars);
}

/** Dollars that a coupon takes off a price, to the cent and never more than the price. */
export function discount({ unitAmountInDollars }: Price, { percentOff, amountOffInDollars }: Coupon): number {
  const off = percentOff === null ? (amountOffInDollars ?? 0) : (unitAmountInDollars * percentOff) / 100;
  return Math.min(unitAmountInDollars, Math.round(off * 100) / 100);
}
