import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { focusScreen } from '@/components/dialog/return-focus';

function handleOf(target: EventTarget | null): string | null {
  return (target instanceof Element && target.closest<HTMLElement>('[data-handle]')?.dataset.handle) || null;
}

/**
 * Keeps the focus on the Move button of a guest whom a change made elsewhere draws in another bed. When the guest is gone
 * from the board, the dialog gets the focus.
 */
export function useGuestFocus(root: RefObject<HTMLElement | null>): void {
  const guestId = useRef<string | null>(null);
  useEffect(() => {
    const follow = ({ target }: Event) => {
      guestId.current = handleOf(target);
    };
    // A press on nothing takes the focus away because the user wants it.
    const leave = () => {
      guestId.current = null;
    };
    document.addEventListener('focusin', follow);
    document.addEventListener('pointerdown', leave, { capture: true });
    return () => {
      document.removeEventListener('focusin', follow);
      document.removeEventListener('pointerdown', leave, { capture: true });
    };
  }, []);
  // After each drawing: any may be the one that takes the button away.
  useLayoutEffect(() => {
    if (guestId.current === null || document.activeElement !== document.body) return;
    const handle = root.current?.querySelector<HTMLElement>(`[data-handle="${guestId.current}"]`);
    if (handle) handle.focus({ preventScroll: true });
    else focusScreen();
  });
}
