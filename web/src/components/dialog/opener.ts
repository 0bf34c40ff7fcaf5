import { createContext, type RefObject, useLayoutEffect, useRef } from 'react';

/** Holds the control that opened a dialog whose code was not loaded yet; see `lazyDialog`. */
export const OpenerContext = createContext<RefObject<HTMLElement | null> | null>(null);

/** The id of the button whose menu was used last, until something else is. */
let lastMenuButton: string | null = null;

function rememberMenu({ target }: Event): void {
  lastMenuButton = target instanceof Element ? menuButtonOf(target) : null;
}
document.addEventListener('focusin', rememberMenu);
document.addEventListener('pointerdown', rememberMenu, { capture: true });

/** The id of the button whose menu an element is in. */
export function menuButtonOf(element: Element): string | null {
  return element.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? null;
}

/**
 * The control that has the focus now; for an entry of a menu, the button of that menu, since the entry will be gone. For
 * those who want no motion the menu is gone already, and the focus is nowhere.
 */
function focusedControl(): HTMLElement | null {
  const active = document.activeElement === document.body ? null : document.activeElement;
  const menuButton = active ? menuButtonOf(active) : lastMenuButton;
  const control = menuButton ? document.getElementById(menuButton) : active;
  return control instanceof HTMLElement ? control : null;
}

/** Remembers the control that opened something, at the moment in which `isOpen` turns true. */
export function useOpener(isOpen: boolean): RefObject<HTMLElement | null> {
  const opener = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (isOpen) opener.current = focusedControl();
  }, [isOpen]);
  return opener;
}
