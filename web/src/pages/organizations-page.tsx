import { Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '@/components/page-header';
import { organizationsQuery } from '@/features/organizations/api/organizations-query';
import { OrganizationList } from '@/features/organizations/components/organization-list';
import { usePublicSettings } from '@/features/shell/api/public-settings';
import type { OrganizationType } from '@/lib/organization-types';

/** A list of organizations; the non-commercial one credits the foundation (spec A section 1). */
export function OrganizationsPage({ type }: { type: OrganizationType }) {
  const { t } = useTranslation('organizations');
  const { data: organizations } = useSuspenseQuery(organizationsQuery(type));
  const foundation = usePublicSettings()?.foundation;
  return (
    <>
      <PageHeader title={t(`title.${type}`)} />
      <OrganizationList organizations={organizations} type={type} />
      {type === 'free-rehabs' && foundation ? (
        <Text c="dimmed" mt="xl">
          {t('foundation', { foundation })}
        </Text>
      ) : null}
    </>
  );
}
