import { useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

interface OpenDialog {
  readonly id: string;
  readonly onEscape: () => void;
}

/** The open dialogs, the topmost last. */
let open: readonly OpenDialog[] = [];
const listeners = new Set<() => void>();
let isListening = false;

function change(next: readonly OpenDialog[]): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What keeps Escape for itself: an open menu, the open list of a field. */
const OWNS_ESCAPE = '[role="menu"], [role="combobox"][aria-expanded="true"], [data-mantine-stop-propagation="true"]';

function handleKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return;
  if (event.target instanceof Element && event.target.closest(OWNS_ESCAPE)) return;
  open.at(-1)?.onEscape();
}

/**
 * Puts a dialog above those that were opened before it and returns its place, from 0. Only the topmost dialog gets
 * Escape: `onEscape` is called before anything else hears of the key, so that it means what was on the screen.
 */
export function useDialogLevel(isOpen: boolean, onEscape: () => void): number {
  const id = useId();
  const latest = useRef(onEscape);
  useLayoutEffect(() => {
    latest.current = onEscape;
  });
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    if (!isListening) window.addEventListener('keydown', handleKeyDown, { capture: true });
    isListening = true;
    change([...open, { id, onEscape: () => latest.current() }]);
    return () => change(open.filter((other) => other.id !== id));
  }, [id, isOpen]);
  return Math.max(
    0,
    useSyncExternalStore(subscribe, () => open.findIndex((dialog) => dialog.id === id)),
  );
}
