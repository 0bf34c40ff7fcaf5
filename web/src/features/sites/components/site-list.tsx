import { CardsSkeleton } from '@/components/cards-skeleton';
import { lazyNamed } from '@/components/lazy-named';
import { LONG_LIST } from '@/components/long-list/long-list.utils';
import { SiteCards } from './site-cards';
import type { SiteListProps } from './site-list.types';

const LongSiteList = lazyNamed(() => import('./long-site-list'), 'LongSiteList', { fallback: <CardsSkeleton /> });

/** Sites as cards with their counts of beds; many of them with search, sort and a table view. */
export function SiteList(props: SiteListProps) {
  return props.sites.length < LONG_LIST ? <SiteCards {...props} /> : <LongSiteList {...props} />;
}
