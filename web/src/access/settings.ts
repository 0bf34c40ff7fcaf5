import type { CurrentUser } from './user';

/**
 * How Berth works for a user, on every device (docs/decisions/0076). The server alone keeps it: the next user of a shared
 * computer must not get it.
 */
export type Setting =
  /** Berth opens with Today, where it is not that of the role. */
  | 'setting.start-today'
  /** A guest is moved to a vacant bed without a question. */
  | 'setting.moves-unasked'
  /** News have a sound. */
  | 'setting.alert-sound'
  /** News have a notification of the browser, where the browser allows it. */
  | 'setting.alert-notification'
  /** The names of the keyboard shortcuts that are off, with spaces between them; see `lib/shortcuts`. */
  | 'setting.shortcuts-off';

/** A setting that is on or off. */
export type SwitchedSetting = Exclude<Setting, 'setting.shortcuts-off'>;

/** Returns true if a setting is on. */
export function isSettingOn(user: CurrentUser, name: SwitchedSetting): boolean {
  return readSetting(user, name) === 'on';
}

/** The text of a setting; empty while it is off. */
export function readSetting({ views }: CurrentUser, name: Setting): string {
  return views[name] ?? '';
}
