import type { Schemas } from '@/api/client';
import type { StatusTone } from '@/components/status-badge';

type Status = Schemas['SubscriptionStatus'];

/** Color of each status; the label says the same in words. */
export const STATUS_TONES: Record<Status, StatusTone> = {
  active: 'green',
  trialing: 'green',
  incomplete: 'yellow',
  incomplete_expired: 'red',
  past_due: 'red',
  unpaid: 'red',
  canceled: 'gray',
  none: 'gray',
};

/** What an owner can do about a subscription. */
export type SubscriptionAction = 'cancel' | 'restart' | 'start';

/** The action offered for each status (spec B section 4); trialing and unpaid have none. */
export function actionOf(status: Status): SubscriptionAction | undefined {
  switch (status) {
    case 'active':
      return 'cancel';
    case 'incomplete':
    case 'incomplete_expired':
    case 'past_due':
      return 'restart';
    case 'none':
    case 'canceled':
      return 'start';
    case 'trialing':
    case 'unpaid':
      return undefined;
  }
}

/**
 * Returns true if an address from the card provider may be opened: a web page, or one of this server, which shows the
 * pages of test payments itself.
 */
export function isPageAddress(address: string): boolean {
  return /^(https?:\/\/|\/(?![/\\]))/.test(address);
}

/** One line of the billing history: an invoice and its site. */
export type HistoryRow = Schemas['BillingItem'] & Pick<Schemas['SiteBilling'], 'siteId' | 'siteName'>;

/** The invoices of all sites, newest first. */
export function historyRows(sites: readonly Schemas['SiteBilling'][]): HistoryRow[] {
  return sites
    .flatMap(({ siteId, siteName, items }) => items.map((item) => ({ ...item, siteId, siteName })))
    .toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date));
}
