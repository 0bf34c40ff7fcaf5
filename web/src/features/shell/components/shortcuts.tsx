import { useRouter } from '@tanstack/react-router';
import { useUser } from '@/access/use-user';
import { lazyDialog } from '@/components/lazy-named';
import { pressMarked } from '@/components/press-marked';
import { toast } from '@/components/toast';
import { useShortcut } from '@/components/use-shortcut';

const ShortcutSheet = lazyDialog(() => import('./shortcut-sheet'), 'ShortcutSheet');

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
  useShortcut('z', () => toast.undoNewest(), { inDialogs: true });
  useShortcut('?', onOpen);
  return <ShortcutSheet subject={isOpen} onClose={onClose} />;
}
