import type { Schemas } from '@/api/client';

/** A card that ends in `digits`, good until April 2040 and not the default. */
export function savedCard(digits: string, fields: Partial<Schemas['SavedCard']> = {}): Schemas['SavedCard'] {
  return {
    id: `card-${digits}`,
    brand: 'visa',
    lastFourDigits: digits,
    isDefault: false,
    expirationDate: '4/40',
    formattedExpirationDate: '4/40',
    ...fields,
  };
}

/** An active monthly subscription of "Site {siteId}", with a card. */
export function subscriptionSummary(
  siteId: string,
  fields: Partial<Schemas['SubscriptionSummary']> = {},
): Schemas['SubscriptionSummary'] {
  return {
    siteId,
    siteName: `Site ${siteId}`,
    status: 'active',
    isActive: true,
    nextInvoiceDate: '2026-12-10T12:00:00Z',
    paidPeriodEnd: '2026-12-10T12:00:00Z',
    totalInvoice: 1200,
    card: { brand: 'visa', lastFourDigits: '4242', brandLogoImageSrc: null },
    stripePriceId: 'price_month',
    subscriptionDurationInMonths: 1,
    ...fields,
  };
}

/** A price of the catalog, in US dollars. */
export function catalogPrice(interval: 'month' | 'year', unitAmountInDollars: number): Schemas['CatalogPrice'] {
  return {
    priceId: `price_${interval}`,
    currency: 'usd',
    interval,
    intervalCount: 1,
    durationInMonths: interval === 'year' ? 12 : 1,
    unitAmountInDollars,
  };
}
