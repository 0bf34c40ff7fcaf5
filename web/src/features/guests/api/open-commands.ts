import { useSyncExternalStore } from 'react';
import { guestCommands, type OpenCommand } from './guest-commands';

/** The commands of this tab whose outcome is not known yet. */
export function useOpenCommands(): readonly OpenCommand[] {
  return useSyncExternalStore(guestCommands.subscribe, () => guestCommands.open);
}

/** The command on a guest whose outcome is not known yet. */
export function useOpenCommand(guestId: string | undefined): OpenCommand | undefined {
  return useOpenCommands().find(({ update }) => update !== undefined && update.guestId === guestId);
}
