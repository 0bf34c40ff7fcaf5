import type { LinkProps } from '@tanstack/react-router';
import type { Schemas } from '@/api/client';
import type { MenuEntry } from '@/components/menu-button';

export type SiteSummary = Schemas['SiteSummary'];

export interface SiteListProps {
  label: string;
  sites: readonly SiteSummary[];
  /** Where a site leads. */
  siteLink: (site: SiteSummary) => Pick<LinkProps, 'to' | 'params' | 'search'>;
  /** Names the organization of each site, where sites of several stand together. */
  showOrganization?: boolean;
  /** Shows the cover photo over the whole width of a card instead of a small one beside the name. */
  withCovers?: boolean;
  /** What else may be done with a site; the label names it. */
  siteMenu?: (site: SiteSummary) => { label: string; entries: readonly MenuEntry[] };
}
