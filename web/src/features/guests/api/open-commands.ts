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

/** The change of something else than a guest whose outcome is not known yet; see `OtherChange`. */
export function useOpenChange(about: string | undefined): OpenCommand | undefined {
  return useOpenCommands().find((command) => command.about === about);
}
