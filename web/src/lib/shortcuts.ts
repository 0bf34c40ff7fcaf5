/** The keyboard shortcuts that the sheet lists, in its order; `name` is the key of their text, and what is stored of one that is off. */
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

/** Stands for all of them where shortcuts are turned off (WCAG 2.1.4). */
export const ALL_SHORTCUTS = 'all';

/** The names in the setting of the shortcuts that are off. */
export function namesOff(setting: string): readonly string[] {
  return setting === '' ? [] : setting.split(' ');
}

/**
 * Returns true if pressing the keys does nothing, with the setting of the shortcuts that are off. A combination with Ctrl or ⌘
 * cannot be turned off: nobody says it by accident.
 */
export function isShortcutOff(keys: string, setting: string): boolean {
  const isIt = (off: string) =>
    off === ALL_SHORTCUTS || SHORTCUTS.some(({ keys: its, name }) => its === keys && name === off);
  return !keys.startsWith('mod+') && namesOff(setting).some(isIt);
}

/** The setting after a shortcut, or all of them, were turned off or on again. Those that are off by themselves stay so. */
export function turnShortcut(setting: string, name: string, isOn: boolean): string {
  const others = namesOff(setting).filter((other) => other !== name);
  return (isOn ? others : [...others, name]).join(' ');
}
