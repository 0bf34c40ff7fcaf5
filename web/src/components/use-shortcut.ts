import { useEffect, useRef } from 'react';

interface Options {
  /** Also while the user types. For combinations that no text has, such as Ctrl K. */
  whileTyping?: boolean;
  /** Also while a dialog is open. */
  inDialogs?: boolean;
}

/** Time in milliseconds within which the second key of a sequence follows. */
const SEQUENCE_MILLISECONDS = 1000;

const TYPED_IN = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
const OPEN_DIALOG = '[role="dialog"], [role="alertdialog"]';

/**
 * Calls `handler` when the user presses `keys`: one key (`/`), a key with Ctrl or ⌘ (`mod+k`), or a sequence (`g t`). Never
 * while the user types or while a dialog is open, unless asked for.
 */
export function useShortcut(keys: string, handler: () => void, options: Options = {}): void {
  const { whileTyping = false, inDialogs = false } = options;
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => {
    const steps = keys.split(' ');
    let done = 0;
    let last = 0;
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat || isModifier(event.key)) return;
      const isTyping = event.target instanceof Element && event.target.closest(TYPED_IN) !== null;
      const isInDialog = document.querySelector(OPEN_DIALOG) !== null;
      if ((isTyping && !whileTyping) || (isInDialog && !inDialogs)) {
        done = 0;
        return;
      }
      if (event.timeStamp - last > SEQUENCE_MILLISECONDS) done = 0;
      last = event.timeStamp;
      if (!fits(event, steps[done])) done = 0;
      if (!fits(event, steps[done])) return;
      done += 1;
      if (done < steps.length) return;
      done = 0;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [keys, whileTyping, inDialogs]);
}

function isModifier(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'Meta';
}

function fits(event: KeyboardEvent, step = ''): boolean {
  const hasModifier = event.ctrlKey || event.metaKey;
  const key = step.startsWith('mod+') ? step.slice('mod+'.length) : step;
  return hasModifier === step.startsWith('mod+') && !event.altKey && event.key.toLowerCase() === key;
}
