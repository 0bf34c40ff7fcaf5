import { useMemo } from 'react';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { type PlacementRules, placementRules } from './meant-for.utils';

/** The placement rules of a site as they apply to the signed-in user. */
export function usePlacementRules(site: Schemas['SiteDetails']): PlacementRules {
  const mayOverride = useCan('guest.overridePlacement', { site });
  return useMemo(() => placementRules(site, mayOverride), [site, mayOverride]);
}
