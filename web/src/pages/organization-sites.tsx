import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { can } from '@/access/can';
import { useUser } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import type { MenuEntry } from '@/components/menu-button';
import { CardsSkeleton } from '@/components/cards-skeleton';
import { sitesQuery } from '@/features/sites/api/sites-query';
import { SiteList } from '@/features/sites/components/site-list';
import type { OrganizationType } from '@/lib/organization-types';

type Site = Schemas['SiteSummary'];

interface OrganizationSitesProps {
  organizationId: string;
  type: OrganizationType;
  /** Stands below the words when there are no sites. */
  emptyAction: ReactNode;
  onDelete: (site: Site) => void;
}

/** The sites of an organization as cards: cover, counts, and a menu with what the user may do (spec A section 2). */
export function OrganizationSites({ organizationId, type, emptyAction, onDelete }: OrganizationSitesProps) {
  const { t } = useTranslation('organizations');
  const { data: sites, isPending, error, refetch } = useQuery(sitesQuery(organizationId));
  const menuOf = useSiteMenu(onDelete);
  if (isPending) return <CardsSkeleton cards={3} height={280} />;
  if (!sites) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (sites.length === 0) {
    const hint = emptyAction ? t('sitesEmptyHintCreate') : t('sitesEmptyHint');
    return <EmptyState title={t('sitesEmpty')} hint={hint} action={emptyAction} />;
  }

  return (
    <SiteList
      label={t('sites')}
      sites={sites}
      withCovers
      siteLink={(site) => ({
        to: '/$organizationType/$organizationId/$siteId',
        params: { organizationType: type, organizationId, siteId: site.id },
      })}
      siteMenu={menuOf}
    />
  );
}

/** What the user may do with a site. */
function useSiteMenu(onDelete: (site: Site) => void) {
  const { t } = useTranslation('organizations');
  const user = useUser();
  const navigate = useNavigate();
  return (site: Site) => {
    const edit: MenuEntry = {
      label: t('action.edit'),
      icon: <Pencil size={16} aria-hidden />,
      onSelect: () => void navigate({ to: '/sites/$siteId/edit', params: { siteId: site.id } }),
    };
    const remove: MenuEntry = {
      label: t('action.delete'),
      icon: <Trash2 size={16} aria-hidden />,
      danger: true,
      onSelect: () => onDelete(site),
    };
    const entries = [
      ...(can(user, 'site.edit', { site }) ? [edit] : []),
      ...(can(user, 'site.delete', { site }) ? [remove] : []),
    ];
    return { label: t('menu', { name: site.name }), entries };
  };
}
