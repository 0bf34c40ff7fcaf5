import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { EmptyState } from '@/components/empty-state';
import { CardGrid, LinkCard } from '@/components/link-card';
import { NameMark } from '@/components/name-mark';
import { ShortName } from '@/components/short-name';
import { StatusBadge } from '@/components/status-badge';
import type { OrganizationType } from '@/lib/organization-types';

interface OrganizationListProps {
  organizations: readonly Schemas['Organization'][];
  type: OrganizationType;
}

/** The organizations of a list as cards: logo, name, number of sites; disabled ones dimmed (spec A section 2). */
export function OrganizationList({ organizations, type }: OrganizationListProps) {
  const { t } = useTranslation('organizations');
  if (organizations.length === 0) return <EmptyState title={t('empty')} hint={t('emptyHint')} />;
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
            details={
              <>
                <span>
                  {organization.siteCount === 0 ? t('noSites') : t('siteCount', { count: organization.siteCount })}
                </span>
                {organization.isDisabled ? (
                  <span title={t('disabledHint')}>
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
