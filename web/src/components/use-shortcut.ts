import { type RefObject, useEffect, useRef } from 'react';
import { readSetting } from '@/access/settings';
import { useUser } from '@/access/use-user';
import { isShortcutOff } from '@/lib/shortcuts';

interface Options {
  /** Also while the user types. For combinations that no text has, such as Ctrl K. */
  whileTyping?: boolean;
  /** Also while a dialog is open. */
  inDialogs?: boolean;
}

interface Shortcut extends Required<Options> {
  readonly keys: string;
  readonly handler: RefObject<() => void>;
}

/** Time in milliseconds within which the second key of a sequence follows. */
const SEQUENCE_MILLISECONDS = 1500;

/** Fields that take letters; a radio button or a checkbox takes none. */
const TYPED_IN =
  'input:not([type="radio"], [type="checkbox"], [type="button"], [type="submit"]), textarea, select, [contenteditable]:not([contenteditable="false"])';
const OPEN_DIALOG = '[role="dialog"], [role="alertdialog"]';
/** An open menu has the keys for itself. */
const OPEN_MENU = '[role="menu"]';

/** The registered shortcuts, the newest last. Of two with the same keys, the newer one wins. */
let shortcuts: readonly Shortcut[] = [];
/** The first key of a sequence, and when it was pressed. */
let begun: { readonly key: string; readonly at: number } | null = null;

/**
 * Calls `handler` when the user presses `keys`: one key (`a`, `?`), a key with Ctrl or ⌘ (`mod+k`), or a sequence (`g t`).
 * Never while the user types or while a dialog is open, unless asked for, and never if the user has turned it off.
 */
export function useShortcut(keys: string, handler: () => void, options: Options = {}): void {
  const { whileTyping = false, inDialogs = false } = options;
  const isOff = isShortcutOff(keys, readSetting(useUser(), 'setting.shortcuts-off'));
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => {
    if (isOff) return undefined;
    const shortcut: Shortcut = { keys, handler: latest, whileTyping, inDialogs };
    if (shortcuts.length === 0) document.addEventListener('keydown', handleKeyDown);
    shortcuts = [...shortcuts, shortcut];
    return () => {
      shortcuts = shortcuts.filter((other) => other !== shortcut);
      if (shortcuts.length === 0) document.removeEventListener('keydown', handleKeyDown);
    };
  }, [keys, whileTyping, inDialogs, isOff]);
}

/** Returns the name of the pressed key in `SHORTCUTS`. Null for keys that no shortcut has. */
function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | null {
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  if (key.length !== 1 || altKey || (isLetter && shiftKey)) return null;
  // With Caps Lock, too.
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key.toLowerCase();
}

function handleKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat || document.querySelector(OPEN_MENU)) return;
  const key = keyOf(event);
  // A modifier key alone does not end a sequence.
  if (key === null) return;
  const isTyping = event.target instanceof Element && event.target.closest(TYPED_IN) !== null;
  const isInDialog = document.querySelector(OPEN_DIALOG) !== null;
  const first = begun !== null && event.timeStamp - begun.at < SEQUENCE_MILLISECONDS ? `${begun.key} ` : '';
  begun = null;
  const isHeard = (shortcut: Shortcut) => (shortcut.whileTyping || !isTyping) && (shortcut.inDialogs || !isInDialog);
  // The second key of an unknown sequence does nothing by itself.
  const pressed = shortcuts.findLast((shortcut) => shortcut.keys === `${first}${key}` && isHeard(shortcut));
  if (pressed) {
    event.preventDefault();
    pressed.handler.current();
  } else if (shortcuts.some((shortcut) => shortcut.keys.startsWith(`${key} `) && isHeard(shortcut))) {
    begun = { key, at: event.timeStamp };
  }
}
