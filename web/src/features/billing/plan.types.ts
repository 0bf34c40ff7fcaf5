import type { Schemas } from '@/api/client';

/** A site whose subscription is to be started. */
export interface SiteToSubscribe {
  siteId: string;
  siteName: string;
  organizationId: string;
  /** End of the period that is already paid, if it lies ahead: nothing is charged before. */
  paidUntil?: string | null;
  /** Id of the guest whose reservation waits for the subscription. */
  reservationId?: string;
}

/** A plan with the promo code that counts for it. */
export interface ChosenPlan {
  plan: Pick<Schemas['CatalogProduct'], 'name' | 'description' | 'descriptionEs'> & { price: Schemas['CatalogPrice'] };
  coupon: { code: string; answer: Schemas['CouponAnswer'] } | undefined;
}
