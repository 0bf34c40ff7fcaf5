import { MapPin } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Counts } from '@/components/counts';
import { CardGrid, LinkCard } from '@/components/link-card';
import { NameMark } from '@/components/name-mark';
import { ShortName } from '@/components/short-name';
import { StatusBadge } from '@/components/status-badge';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SiteCover } from './site-cover';
import classes from './site-list.module.css';

type Site = Schemas['SiteSummary'];

interface SiteListProps {
  label: string;
  sites: readonly Site[];
  /** Where a card leads. */
  siteLink: (site: Site) => Pick<LinkProps, 'to' | 'params' | 'search'>;
  /** Names the organization of each site, where sites of several stand together. */
  showOrganization?: boolean;
  /** Shows the cover photo over the whole width instead of a small one beside the name. */
  withCovers?: boolean;
  /** What else may be done with a site, e.g. a menu. */
  renderActions?: (site: Site) => ReactNode;
}

/** Sites as cards with their counts of beds. */
export function SiteList({
  label,
  sites,
  siteLink,
  showOrganization = false,
  withCovers,
  renderActions,
}: SiteListProps) {
  const { t } = useTranslation('sites');
  return (
    <CardGrid label={label}>
      {sites.map((site) => (
        <li key={site.id}>
          <LinkCard
            link={siteLink(site)}
            cover={withCovers ? <SiteCover name={site.name} imagePath={site.coverImage?.imagePath} /> : null}
            mark={
              withCovers ? null : (
                <NameMark name={site.name} imagePath={site.coverImage?.imagePath} size={56} fit="cover" />
              )
            }
            actions={renderActions?.(site)}
            name={<ShortName name={site.name} />}
            dimmed={site.isDisabled}
            details={
              <>
                {showOrganization ? <span className={classes.line}>{site.organizationName}</span> : null}
                <span className={classes.line}>
                  <MapPin size={14} aria-hidden className={classes.pin} />
                  {site.address}
                </span>
                {site.isDisabled ? <StatusBadge tone="gray">{t('notShown')}</StatusBadge> : null}
              </>
            }
          >
            <Counts
              available={site.counts.available}
              vacant={site.counts.vacant}
              pending={site.counts.pending}
              occupied={site.counts.occupied}
              disabled={site.counts.disabled}
            />
          </LinkCard>
        </li>
      ))}
    </CardGrid>
  );
}
