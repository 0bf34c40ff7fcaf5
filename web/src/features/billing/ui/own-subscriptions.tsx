import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { payingOrganizations } from '@/features/cards/ui/paying-organizations';
import { organizationsQuery } from '@/features/organizations/api/organizations-query';
import { formatMoney } from '@/lib/format';
import { formatDate } from '@/lib/time';
import { summaryQuery } from '../api/subscriptions';
import { SubscriptionStatus } from '../components/subscription-status';

/** The subscriptions of the commercial organizations that the user owns (spec A section 2, Profile). */
export function OwnSubscriptions() {
  const user = useUser();
  const { data, error, refetch } = useQuery(organizationsQuery('organizations'));
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TableSkeleton rows={2} />;
  const organizations = payingOrganizations(user, data);
  if (organizations.length === 0) return <NoSubscriptions />;
  return (
    <Stack gap="lg">
      {organizations.map((organization) => (
        <OfOrganization key={organization.id} organization={organization} />
      ))}
    </Stack>
  );
}

function OfOrganization({ organization }: { organization: Pick<Schemas['Organization'], 'id' | 'name'> }) {
  const { t } = useTranslation('billing');
  const { id, name } = organization;
  const { data, error, refetch } = useQuery(summaryQuery(id));
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h5">
          {name}
        </Title>
        <Anchor
          aria-label={t('own.openOf', { organization: name })}
          renderRoot={(props) => (
            <Link {...props} to="/payment-details/$organizationId" params={{ organizationId: id }} />
          )}
        >
          {t('own.open')}
        </Anchor>
      </Group>
      {data ? <Subscriptions sites={data} /> : null}
      {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <TableSkeleton rows={2} /> : null}
    </section>
  );
}

function Subscriptions({ sites }: { sites: readonly Schemas['SubscriptionSummary'][] }) {
  const { t, i18n } = useTranslation('billing');
  const subscribed = sites.filter(({ status }) => status !== 'none');
  if (subscribed.length === 0) return <NoSubscriptions />;
  return (
    <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {subscribed.map((site) => (
        <Group key={site.siteId} component="li" justify="space-between" align="flex-start" style={{ rowGap: 4 }}>
          <div>
            <Text>{site.siteName.trim() === '' ? t('noName') : site.siteName}</Text>
            {site.nextInvoiceDate !== null && site.totalInvoice !== null ? (
              <Text size="sm" c="dimmed">
                {t('own.next', {
                  date: formatDate(site.nextInvoiceDate, i18n.language),
                  amount: formatMoney(site.totalInvoice, 'usd', i18n.language),
                })}
              </Text>
            ) : null}
          </div>
          <SubscriptionStatus subscription={site} />
        </Group>
      ))}
    </Stack>
  );
}

function NoSubscriptions() {
  const { t } = useTranslation('billing');
  return <Text c="dimmed">{t('own.empty')}</Text>;
}
