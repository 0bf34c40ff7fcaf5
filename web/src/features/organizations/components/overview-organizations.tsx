import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { NameMark } from '@/components/name-mark';
import { TableSkeleton } from '@/components/skeletons';
import { StatusBadge } from '@/components/status-badge';
import { organizationTypeFor } from '@/lib/organization-types';
import { organizationsQuery } from '../api/organizations-query';
import { contains } from '@/lib/text';
import classes from './organizations.module.css';

interface OverviewOrganizationsProps {
  search: string;
  /** A link was followed: the dialog closes. */
  onLeave: () => void;
}

/** All organizations of both kinds, by name. */
export function OverviewOrganizations({ search, onLeave }: OverviewOrganizationsProps) {
  const { t } = useTranslation('organizations');
  const { data, error, isPending, refetch } = useQuery(organizationsQuery('organizations'));
  if (isPending) return <TableSkeleton rows={4} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const found = data.filter(({ name }) => contains(name, search));
  if (data.length === 0) return <EmptyState title={t('empty')} hint={t('emptyHintCreate')} />;
  if (found.length === 0) return <EmptyState title={t('overview.nothing')} hint={t('overview.nothingHint')} />;
  return (
    <>
      <p className="berth-hidden" role="status">
        {t('overview.found', { count: found.length })}
      </p>
      <div
        className={classes.scroll}
        role="region"
        aria-label={t('overview.tabs.organizations')}
        // A scrolling area must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <ul className={`${classes.rows} ${classes.long}`}>
          {found.map(({ id, name, logoPath, isCommercial, isDisabled, siteCount }) => (
            <li key={id} className={classes.row}>
              <NameMark name={name} imagePath={logoPath} size={36} />
              <span className={classes.words}>
                <Anchor
                  data-touch
                  className={classes.name}
                  renderRoot={(props) => (
                    <Link
                      {...props}
                      to="/$organizationType/$organizationId"
                      params={{ organizationType: organizationTypeFor(true, isCommercial), organizationId: id }}
                      onClick={onLeave}
                    />
                  )}
                >
                  {name}
                </Anchor>
                <span className={classes.more}>
                  {siteCount === 0 ? t('noSites') : t('siteCount', { count: siteCount })}
                </span>
              </span>
              {isDisabled ? <StatusBadge tone="gray">{t('disabled')}</StatusBadge> : null}
              <StatusBadge tone={isCommercial ? 'blue' : 'brand'}>
                {t(isCommercial ? 'overview.commercial' : 'overview.free')}
              </StatusBadge>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
