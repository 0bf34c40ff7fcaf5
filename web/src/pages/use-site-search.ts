import { useCallback } from 'react';
import type { Schemas } from '@/api/client';
import type { TableSearch } from '@/components/data-table/data-table.types';
import type { ChangeSearch } from '@/components/use-change-search';

/** What the address of both site screens remembers beside its tab. */
export interface SiteSearch extends TableSearch {
  /** Id of the reservation whose details are open. */
  reservation?: string;
  /** Id of the bed whose panel is open. */
  bed?: string;
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
  bed: undefined,
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

/** Opens the panel of a bed by the address. The function stays the same, so that no tile is drawn again for it. */
export function useOpenBed(change: ChangeSearch<SiteSearch>): (bed: Pick<Schemas['Bed'], 'id'>) => void {
  return useCallback(({ id }) => change({ bed: id }), [change]);
}
