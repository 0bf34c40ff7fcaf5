import { useRouter } from '@tanstack/react-router';
import { useUser } from '@/access/use-user';
import { pressMarked } from '@/components/press-marked';
import { useShortcut } from '@/components/use-shortcut';
import { ShortcutSheet } from './shortcut-sheet';

interface ShortcutsProps {
  /** Whether the sheet was opened by its entry in the menu. */
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** The keyboard of every signed-in screen: where to go, what to do with the row or the guest on it, the sheet of keys. */
export function Shortcuts({ isOpen, onOpen, onClose }: ShortcutsProps) {
  const { history } = useRouter();
  const user = useUser();
  useShortcut('g t', () => history.push('/today'));
  useShortcut('g r', () => history.push('/reservations'));
  useShortcut('g s', () => history.push(user.isGlobal ? '/free-rehabs' : '/organizations'));
  // Also in the dialog of a reservation and in the panel of a bed, where they press its own buttons.
  useShortcut('a', () => pressMarked('a'), { inDialogs: true });
  useShortcut('d', () => pressMarked('d'), { inDialogs: true });
  useShortcut('m', () => pressMarked('m'), { inDialogs: true });
  useShortcut('n', () => pressMarked('n'), { inDialogs: true });
  // Messages stand above the bed board, too.
  useShortcut('z', () => pressUndo(), { inDialogs: true });
  useShortcut('?', onOpen);
  return <ShortcutSheet subject={isOpen} onClose={onClose} />;
}

/** Presses the *Undo* of the newest message that has one. The focus stays where it was. */
function pressUndo(): void {
  const before = document.activeElement;
  [...document.querySelectorAll<HTMLElement>('[data-undo]')].at(-1)?.click();
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
}
