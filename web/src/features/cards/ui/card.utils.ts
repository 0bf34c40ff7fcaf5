import type { Schemas } from '@/api/client';

/** Brands as they write themselves; others keep the card provider's word. */
const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** The name of a brand. */
export function brandName(brand: string): string {
  return BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1);
}

/** The last month in which a card is good. */
export interface CardExpiry {
  month: number;
  /** Four digits. */
  year: number;
}

/** Reads 'M/YY' (spec B section 5); undefined for what is no month and year. */
export function parseExpiry(text: string): CardExpiry | undefined {
  const match = /^(\d{1,2})\/(\d{2})$/.exec(text.trim());
  if (!match) return undefined;
  const [month, year] = [Number(match[1]), 2000 + Number(match[2])];
  return month >= 1 && month <= 12 ? { month, year } : undefined;
}

/** Whether the last month of a card is over. */
export function isExpired({ month, year }: CardExpiry, now: Date): boolean {
  return year < now.getFullYear() || (year === now.getFullYear() && month < now.getMonth() + 1);
}

/** What a card is called: brand and last four digits. */
export function cardParts({ brand, lastFourDigits }: Pick<Schemas['SavedCard'], 'brand' | 'lastFourDigits'>): {
  brand: string;
  digits: string;
} {
  return { brand: brandName(brand), digits: lastFourDigits };
}
