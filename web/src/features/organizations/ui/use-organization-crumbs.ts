import { useTranslation } from 'react-i18next';
import type { Crumb } from '@/components/page-header';
import type { OrganizationType } from '@/lib/organization-types';

/** Breadcrumbs of an organization, or of the named page below it. */
export function useOrganizationCrumbs(
  type: OrganizationType,
  { id, name }: { id: string; name: string },
  page?: string,
): Crumb[] {
  const { t } = useTranslation('organizations');
  const list: Crumb = {
    label: t(`title.${type}`),
    link: { to: '/$organizationType', params: { organizationType: type } },
  };
  if (page === undefined) return [list, { label: name }];
  const params = { organizationType: type, organizationId: id };
  return [list, { label: name, link: { to: '/$organizationType/$organizationId', params } }, { label: page }];
}
