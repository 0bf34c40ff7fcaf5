/**
 * The only module that touches localStorage. It holds colour scheme, language, whether the tour was seen, which banner was
 * closed, which version of the agreements was accepted on this device, whether beds are drawn small, how each user, by id, left
 * lists and tables and which filters each keeps, and whether a sign-out has not reached the server, and nothing else: no names, no
 * tokens (guide web, section 5). How Berth works for a user is in `access/settings`.
 */
export type ColorScheme = 'light' | 'dark' | 'auto';
export type Language = 'en' | 'es';

interface Preferences {
  colorScheme: ColorScheme;
  language: Language;
  tourSeen: 'yes';
  /** The new address of the product, where its banner was closed. */
  bannerClosed: string;
  /** The version of the agreements that was accepted on this device. */
  agreements: string;
  /** Beds are drawn small, so that more of them fit on the screen. */
  compactBeds: 'yes';
  /** Somebody signed out here, or was away too long, and the server does not know it yet. */
  signOutPending: 'sign-out' | 'idle';
  /** Long lists are tables for the user with this id. */
  [view: `listView.${string}`]: 'table';
  /** Page size, density and hidden columns of a table for a user, by the name of the table and the id of the user. */
  [look: `tableLook.${string}`]: string;
  /** The filters that a user keeps, by the name of the screen and the id of the user: ids and codes, no text that was typed. */
  [filters: `savedFilters.${string}`]: string;
}

/** The stored choice, or undefined when there is none or storage is forbidden. */
export function readPreference<Key extends keyof Preferences>(key: Key): Preferences[Key] | undefined {
  try {
    return (localStorage.getItem(`berth.${key}`) as Preferences[Key] | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores the choice; silently keeps it for this page only where storage is forbidden. */
export function writePreference<Key extends keyof Preferences>(key: Key, value: Preferences[Key]): void {
  try {
    localStorage.setItem(`berth.${key}`, value);
  } catch {
    // Private windows may refuse storage; the choice then lasts as long as the page.
  }
}

/** Removes what is stored. */
export function clearPreference(key: keyof Preferences): void {
  try {
    localStorage.removeItem(`berth.${key}`);
  } catch {
    // Where storage is forbidden, nothing is stored.
  }
}
