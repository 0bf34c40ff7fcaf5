import { createContext, type RefObject, useLayoutEffect, useRef } from 'react';

/** Holds the control that opened a dialog whose code was not loaded yet; see `lazyDialog`. */
export const OpenerContext = createContext<RefObject<HTMLElement | null> | null>(null);

/** The control that has the focus now; for an entry of a menu, the button of that menu, since the entry will be gone. */
function focusedControl(): HTMLElement | null {
  const active = document.activeElement;
  const menuButton = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const control = menuButton ? document.getElementById(menuButton) : active;
  return control instanceof HTMLElement && control !== document.body ? control : null;
}

/** Remembers the control that opened something, at the moment in which `isOpen` turns true. */
export function useOpener(isOpen: boolean): RefObject<HTMLElement | null> {
  const opener = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (isOpen) opener.current = focusedControl();
  }, [isOpen]);
  return opener;
}
