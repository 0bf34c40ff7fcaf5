import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Changes a part of the address and stays on the screen; `replace` leaves no step behind for the back button. */
export type ChangeSearch<Search> = (changes: Partial<Search>, options?: { replace?: boolean }) => void;

/** The way to change what the address of a screen remembers, which is a `Search`. */
export function useChangeSearch<Search extends object>(): ChangeSearch<Search> {
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
