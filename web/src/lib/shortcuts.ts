import { clearPreference, readPreference, writePreference } from './preferences';

/** The keyboard shortcuts that the sheet lists, in its order; `name` is the key of their text. */
export const SHORTCUTS = [
  { keys: 'g t', name: 'today' },
  { keys: 'g r', name: 'reservations' },
  { keys: 'g s', name: 'organizations' },
  { keys: '/', name: 'find' },
  { keys: 'a', name: 'accept' },
  { keys: 'd', name: 'decline' },
  { keys: 'm', name: 'move' },
  { keys: 'n', name: 'newGuest' },
  { keys: 'z', name: 'undo' },
  { keys: '?', name: 'sheet' },
] as const;

/** Stands for all of them in what is stored. */
const ALL = 'all';

/** What is turned off in this browser (WCAG 2.1.4): single shortcuts, or `all`. */
function readOff(): readonly string[] {
  return readPreference('shortcutsOff')?.split(',') ?? [];
}

/** Returns true if the user has turned this shortcut off by itself. */
export function isTurnedOff(keys: string): boolean {
  return readOff().includes(keys);
}

/** Returns true if the user has turned all shortcuts off. */
export function areAllOff(): boolean {
  return isTurnedOff(ALL);
}

/** Returns true if pressing the keys does nothing. A combination with Ctrl or ⌘ cannot be turned off: nobody says it by accident. */
export function isShortcutOff(keys: string): boolean {
  return !keys.startsWith('mod+') && (areAllOff() || isTurnedOff(keys));
}

/** Turns one shortcut, or `all`, off or on again. */
export function turnShortcut(keys: string, isOn: boolean): void {
  const others = readOff().filter((other) => other !== keys);
  const off = isOn ? others : [...others, keys];
  if (off.length === 0) clearPreference('shortcutsOff');
  else writePreference('shortcutsOff', off.join(','));
}

/** Turns all shortcuts off or on again; those that are off by themselves stay so. */
export const turnAllShortcuts = (isOn: boolean): void => turnShortcut(ALL, isOn);
