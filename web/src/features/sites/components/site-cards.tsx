import { MapPin } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Counts } from '@/components/counts';
import { CardGrid, LinkCard } from '@/components/link-card';
import { MenuButton } from '@/components/menu-button';
import { NameMark } from '@/components/name-mark';
import { ShortName } from '@/components/short-name';
import { StatusBadge } from '@/components/status-badge';
import { SiteCover } from './site-cover';
import classes from './site-list.module.css';
import type { SiteListProps, SiteSummary } from './site-list.types';

/** Sites as cards with their counts of beds. */
export function SiteCards({ label, sites, siteLink, showOrganization = false, withCovers, siteMenu }: SiteListProps) {
  const { t } = useTranslation('sites');
  const menuOf = (site: SiteSummary) => {
    const menu = siteMenu?.(site);
    return menu ? (
      <span data-site-menu={site.id}>
        <MenuButton {...menu} />
      </span>
    ) : null;
  };
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
            actions={menuOf(site)}
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
