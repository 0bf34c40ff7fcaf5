import { client } from '@/api/client';
import { readPreference, writePreference } from '@/lib/preferences';
import { onUserForgotten } from '@/lib/session-end';
import type { CurrentUser } from './user';

/** The look of a table, or the filters that are kept on a screen. */
type ViewName = `tableLook.${string}` | `savedFilters.${string}`;

/** The choices that the server has not confirmed yet, by name. */
const unsent = new Map<ViewName, { name: ViewName; text: string }>();
let sending = Promise.resolve();

// They are not sent by the next user of this computer.
onUserForgotten(() => unsent.clear());

/** What the user chose on this device; without such a choice, what the user chose last on any other. */
export function readView({ id, views }: CurrentUser, name: ViewName): string | undefined {
  return readPreference(`${name}.${id}`) ?? views[name];
}

/**
 * Keeps a choice on this device, and sends it to the server for the user's other devices. Nothing waits for that. A choice
 * that does not arrive is sent again with the next one.
 */
export function writeView({ id }: CurrentUser, name: ViewName, text: string): void {
  writePreference(`${name}.${id}`, text);
  unsent.set(name, { name, text });
  sending = sending.then(sendAll);
}

/** Sends one after the other, so that the last choice is the one that stays. */
async function sendAll(): Promise<void> {
  for (const view of unsent.values()) {
    const answer = await client.PUT('/api/Users/views', { body: view }).catch(() => null);
    const isSettled = answer && answer.response.status < 500;
    // A later choice has taken its place otherwise.
    if (isSettled && unsent.get(view.name) === view) unsent.delete(view.name);
  }
}
