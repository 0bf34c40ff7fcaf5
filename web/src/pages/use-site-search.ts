import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { TableState } from '@/components/data-table/data-table.types';

/** What the address of both site screens remembers beside its tab. */
export interface SiteSearch extends TableState {
  /** Id of the reservation whose details are open. */
  reservation?: string;
  /** What stands over the tab. */
  open?: 'new-guest' | 'board';
}

/** Changes a part of the address and stays on the screen; `replace` leaves no step behind for the back button. */
export type ChangeSearch = (changes: Record<string, unknown>, options?: { replace?: boolean }) => void;

/** The way to change what the address remembers of a site screen. */
export function useChangeSearch(): ChangeSearch {
  const navigate = useNavigate();
  return useCallback(
    (changes, { replace = false } = {}) => {
      void navigate({
        to: '.',
        search: ((previous: object) => ({ ...previous, ...changes })) as never,
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
}

/** Another tab starts with its table as it is at first, and with nothing open. */
export const FRESH_TAB = {
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
export function tabSearch(tab: string | null): Record<string, unknown> {
  return { ...FRESH_TAB, tab: tab ?? undefined };
}
