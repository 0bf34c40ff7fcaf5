import { type RegisteredRouter, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Changes a part of the address and stays on the screen; `replace` leaves no step behind for the back button. */
export type ChangeSearch<Search> = (changes: Partial<Search>, options?: { replace?: boolean }) => void;

type Routes = RegisteredRouter['routesByPath'];

/** The way to change what the address of a screen remembers: `useChangeSearch<'/logs'>()`, as the route there reads it. */
export function useChangeSearch<Path extends keyof Routes>(): ChangeSearch<Routes[Path]['types']['fullSearchSchema']> {
  const navigate = useNavigate();
  return useCallback(
    (changes, { replace = false } = {}) => {
      void navigate({
        to: '.',
        search: (previous) => ({ ...previous, ...changes }),
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
}
