import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { CardGrid, LinkCard } from '@/components/link-card';
import { MenuButton, type MenuEntry } from '@/components/menu-button';
import { NameMark } from '@/components/name-mark';
import { ShortName } from '@/components/short-name';
import { StatusBadge } from '@/components/status-badge';
import type { OrganizationType } from '@/lib/organization-types';
import classes from './organizations.module.css';

type Organization = Schemas['Organization'];

export interface OrganizationCardsProps {
  organizations: readonly Organization[];
  type: OrganizationType;
  menuOf: (organization: Organization) => { label: string; entries: readonly MenuEntry[] };
}

/** Organizations as cards: logo, name, number of sites; disabled ones dimmed (spec A section 2). */
export function OrganizationCards({ organizations, type, menuOf }: OrganizationCardsProps) {
  const { t } = useTranslation('organizations');
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
                <MenuButton {...menuOf(organization)} />
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
