import { type RouterHistory, type ShouldBlockFn, useBlocker, useRouter } from '@tanstack/react-router';
import { useCallback, useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { keepSecondPress } from '@/lib/steady-press';
import { isReturning, stayHere, stepsOfPop } from './stay-here';

/** Something that lies over the page: a dialog, a drawer, an open menu. */
interface Layer {
  /** Closes it, or asks first. */
  readonly onBack: () => void;
  /** Returns true if Back may go to the address before, in which the layer is closed. */
  readonly isLeftByBack: () => boolean;
  /** Answers Escape; menus and drawers of the kit do so by themselves. */
  readonly onEscape?: () => void;
}

export type HistoryAction = Parameters<ShouldBlockFn>[0]['action'];

interface OpenLayer extends Layer {
  readonly id: string;
}

/** The open layers, the topmost last. */
let open: readonly OpenLayer[] = [];
const listeners = new Set<() => void>();
let isListening = false;

function change(next: readonly OpenLayer[]): void {
  open = next;
  keepSecondPress();
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
  open.findLast(({ onEscape }) => onEscape)?.onEscape?.();
}

/** Two quick Backs may arrive as one step over two entries. */
function isBack(action: HistoryAction, history: RouterHistory): boolean {
  return action === 'BACK' || (action === 'GO' && stepsOfPop(history) < 0);
}

/** Returns true if a navigation is a Back that closes a layer and stays on the page. */
export function isTakenByLayer(action: HistoryAction, history: RouterHistory): boolean {
  const top = open.at(-1);
  return top !== undefined && isBack(action, history) && !top.isLeftByBack();
}

/** Puts a layer above those that were opened before it. Back closes the topmost one and stays on the page. */
function useLayer(isOpen: boolean, layer: Layer): string {
  const id = useId();
  const { history } = useRouter();
  const latest = useRef(layer);
  const hasEscape = layer.onEscape !== undefined;
  useLayoutEffect(() => {
    latest.current = layer;
  });
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    if (!isListening) window.addEventListener('keydown', handleKeyDown, { capture: true });
    isListening = true;
    const opened = {
      id,
      onBack: () => latest.current.onBack(),
      isLeftByBack: () => latest.current.isLeftByBack(),
      ...(hasEscape ? { onEscape: () => latest.current.onEscape?.() } : {}),
    };
    change([...open, opened]);
    return () => change(open.filter((other) => other.id !== id));
  }, [id, isOpen, hasEscape]);
  const shouldBlockFn = useCallback(
    ({ action }: Pick<Parameters<ShouldBlockFn>[0], 'action'>) => {
      if (isReturning() || open.at(-1)?.id !== id || !isTakenByLayer(action, history)) return false;
      // At once: the next Back, however soon, is about what lies below.
      flushSync(() => latest.current.onBack());
      return stayHere(history);
    },
    [id, history],
  );
  useBlocker({ shouldBlockFn, enableBeforeUnload: false, disabled: !isOpen });
  return id;
}

interface DialogLayer extends Pick<Layer, 'isLeftByBack'> {
  onClose: () => void;
}

/**
 * Makes a dialog a layer and returns its place among the dialogs, from 0. Only the topmost dialog gets Escape: `onClose` is
 * called before anything else hears of the key, so that it means what was on the screen.
 */
export function useDialogLevel(isOpen: boolean, { onClose, isLeftByBack }: DialogLayer): number {
  const id = useLayer(isOpen, { onBack: onClose, onEscape: onClose, isLeftByBack });
  const findLevel = () => open.filter(({ onEscape }) => onEscape).findIndex((layer) => layer.id === id);
  return Math.max(0, useSyncExternalStore(subscribe, findLevel));
}

/** Lets Back close a menu or a drawer of the kit. To be rendered while it is open. */
export function ClosedByBack({ onBack }: { onBack: () => void }) {
  useLayer(true, { onBack, isLeftByBack: () => false });
  return null;
}
