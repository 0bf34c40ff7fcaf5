import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { can } from '@/access/can';
import { useUser } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { EmptyState } from '@/components/empty-state';
import { CardGrid, LinkCard } from '@/components/link-card';
import { MenuButton, type MenuEntry } from '@/components/menu-button';
import { NameMark } from '@/components/name-mark';
import { ShortName } from '@/components/short-name';
import { StatusBadge } from '@/components/status-badge';
import type { OrganizationType } from '@/lib/organization-types';
import classes from './organizations.module.css';

type Organization = Schemas['Organization'];

interface OrganizationListProps {
  organizations: readonly Organization[];
  type: OrganizationType;
  /** Opens a dialog about one of them; the menu offers what the user may do. */
  onAction: (kind: 'edit' | 'delete', organization: Organization) => void;
  /** Stands below the words of an empty list. */
  emptyAction?: ReactNode;
}

/** The organizations of a list as cards: logo, name, number of sites; disabled ones dimmed (spec A section 2). */
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

  return (
    <CardGrid label={t(`title.${type}`)}>
      {organizations.map((organization) => (
        <li key={organization.id}>
          <LinkCard
            link={{
              to: '/$organizationType/$organizationId',
              params: { organizationType: type, organizationId: organization.id },
            }}
            mark={<NameMark name={organization.name} imagePath={organization.logoPath} />}
            name={<ShortName name={organization.name} />}
            dimmed={organization.isDisabled}
            actions={
              <span data-organization-menu={organization.id}>
                <MenuButton label={t('menu', { name: organization.name })} entries={entries(organization)} />
              </span>
            }
            details={
              <>
                <span>
                  {organization.siteCount === 0 ? t('noSites') : t('siteCount', { count: organization.siteCount })}
                </span>
                {organization.isDisabled ? (
                  <span className={classes.state} title={t('disabledHint')}>
                    <StatusBadge tone="gray">{t('disabled')}</StatusBadge>
                  </span>
                ) : null}
              </>
            }
          />
        </li>
      ))}
    </CardGrid>
  );
}
