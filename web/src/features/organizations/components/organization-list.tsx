import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { can } from '@/access/can';
import { useUser } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { CardsSkeleton } from '@/components/cards-skeleton';
import { EmptyState } from '@/components/empty-state';
import { lazyNamed } from '@/components/lazy-named';
import { LONG_LIST } from '@/components/long-list/long-list.utils';
import type { MenuEntry } from '@/components/menu-button';
import type { OrganizationType } from '@/lib/organization-types';
import { OrganizationCards } from './organization-cards';

type Organization = Schemas['Organization'];

const LongOrganizationList = lazyNamed(() => import('./long-organization-list'), 'LongOrganizationList', {
  // Those of every long list.
  texts: ['sites'],
  fallback: <CardsSkeleton />,
});

interface OrganizationListProps {
  organizations: readonly Organization[];
  type: OrganizationType;
  /** Opens a dialog about one of them; the menu offers what the user may do. */
  onAction: (kind: 'edit' | 'delete', organization: Organization) => void;
  /** Stands below the words of an empty list. */
  emptyAction?: ReactNode;
}

/** The organizations of a list as cards; many of them with search, sort and a table view. */
export function OrganizationList({ organizations, type, onAction, emptyAction }: OrganizationListProps) {
  const { t } = useTranslation('organizations');
  const user = useUser();
  if (organizations.length === 0) {
    const hint = emptyAction ? t('emptyHintCreate') : t('emptyHint');
    return <EmptyState title={t('empty')} hint={hint} action={emptyAction} />;
  }

  const entries = (organization: Organization): MenuEntry[] => [
    ...(can(user, 'organization.edit', { organization })
      ? [
          {
            label: t('action.edit'),
            icon: <Pencil size={16} aria-hidden />,
            onSelect: () => onAction('edit', organization),
          },
        ]
      : []),
    ...(can(user, 'organization.delete', { organization })
      ? [
          {
            label: t('action.delete'),
            icon: <Trash2 size={16} aria-hidden />,
            danger: true,
            onSelect: () => onAction('delete', organization),
          },
        ]
      : []),
  ];

  const menuOf = (organization: Organization) => ({
    label: t('menu', { name: organization.name }),
    entries: entries(organization),
  });
  const List = organizations.length < LONG_LIST ? OrganizationCards : LongOrganizationList;
  return <List organizations={organizations} type={type} menuOf={menuOf} />;
}
