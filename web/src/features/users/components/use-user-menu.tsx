import { Ban, CircleCheck, Pencil, Send, Trash2, UserCog } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MenuEntry } from '@/components/menu-button';
import type { AccessUser } from '../api/types';
import type { UserAction } from '../users.utils';

const ICONS = { edit: Pencil, enable: CircleCheck, disable: Ban, role: UserCog, resend: Send, remove: Trash2 };

/** The three dots of a row, made of what the row offers. `removeWord` is the word of the table for its last entry. */
export function useUserMenu(
  onAction: (user: AccessUser, action: UserAction) => void,
  removeWord: 'delete' | 'remove',
): (user: AccessUser, actions: readonly UserAction[]) => { label: string; entries: MenuEntry[] } {
  const { t } = useTranslation('users');
  const labelOf = (action: UserAction) => {
    if (action.kind === 'role') return t('action.role', { role: t(`role.${action.role}`) });
    return t(`action.${action.kind === 'remove' ? removeWord : action.kind}`);
  };
  return (user, actions) => ({
    label: t('menu', { user: user.user.email }),
    entries: actions.map((action) => {
      const Icon = ICONS[action.kind];
      return {
        label: labelOf(action),
        icon: <Icon size={16} aria-hidden />,
        danger: action.kind === 'remove',
        onSelect: () => onAction(user, action),
      };
    }),
  });
}
