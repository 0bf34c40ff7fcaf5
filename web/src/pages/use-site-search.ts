import type { TableState } from '@/components/data-table/data-table.types';

/** What the address of both site screens remembers beside its tab. */
export interface SiteSearch extends TableState {
  /** Id of the reservation whose details are open. */
  reservation?: string;
  /** What stands over the tab. */
  open?: 'new-guest' | 'board';
}

/** Another tab starts with its table as it is at first, and with nothing open. */
const FRESH_TAB = {
  page: undefined,
  size: undefined,
  sort: undefined,
  direction: undefined,
  dense: undefined,
  reservation: undefined,
  open: undefined,
  accepted: undefined,
  discharged: undefined,
  declined: undefined,
  expired: undefined,
  panel: undefined,
  guest: undefined,
  days: undefined,
  from: undefined,
  to: undefined,
};

/** What a change of the tab leaves of the address. */
export function tabSearch<Tab extends string>(tabs: readonly Tab[], chosen: string | null) {
  return { ...FRESH_TAB, tab: tabs.find((tab) => tab === chosen) };
}
