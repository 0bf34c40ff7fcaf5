import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, Eye, EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { EmailLink } from '@/components/contact-link';
import { Dialog } from '@/components/dialog/dialog';
import { ErrorState } from '@/components/error-state';
import { NameMark } from '@/components/name-mark';
import { TableSkeleton } from '@/components/skeletons';
import { StatusBadge } from '@/components/status-badge';
import { organizationTypeFor } from '@/lib/organization-types';
import { formatDate } from '@/lib/time';
import { organizationDetailsQuery } from '../api/dashboard-queries';
import classes from './dashboard.module.css';
import { MembershipBadge } from '@/features/users/ui/membership-badge';
import { nameOf } from '@/features/users/ui/name-of';

type Details = Schemas['DashboardOrganizationDetails'];

/** What an organization is, who owns it and how its sites are doing (DESIGN section 6). */
export function OrganizationDialog({ subject, onClose }: { subject: string | null; onClose: () => void }) {
  const { t } = useTranslation('dashboard');
  return (
    <Dialog inAddress subject={subject} width={800} title={t('organizationDetails')} onClose={onClose}>
      {(id) => <LoadedDetails id={id} onClose={onClose} />}
    </Dialog>
  );
}

function LoadedDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(organizationDetailsQuery(id));
  if (data) return <OrganizationDetails organization={data} onClose={onClose} />;
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TableSkeleton />;
}

function OrganizationDetails({ organization, onClose }: { organization: Details; onClose: () => void }) {
  const { t, i18n } = useTranslation(['dashboard', 'common']);
  const link = {
    to: '/$organizationType/$organizationId',
    params: {
      organizationType: organizationTypeFor(true, organization.isCommercial),
      organizationId: organization.id,
    },
  } as const;
  const Visibility = organization.isDisabled ? EyeOff : Eye;
  return (
    <Stack gap="lg">
      <Group gap="md" wrap="nowrap">
        <NameMark name={organization.name} imagePath={organization.logoPath} size={56} />
        <div>
          <Text fw={650} size="lg">
            {organization.name}
          </Text>
          <Group gap="xs" mt={4}>
            <StatusBadge tone="blue">
              {t(organization.isCommercial ? 'kind.commercial' : 'kind.nonCommercial')}
            </StatusBadge>
            <StatusBadge tone={organization.isDisabled ? 'gray' : 'green'} icon={<Visibility size={14} aria-hidden />}>
              {t(organization.isDisabled ? 'hidden' : 'visible')}
            </StatusBadge>
            <Text size="sm" c="dimmed">
              {t('createdOn', { date: formatDate(organization.createdAt, i18n.language) })}
            </Text>
          </Group>
        </div>
      </Group>
      <section>
        <Title order={3} mb="xs">
          {t('owners')}
        </Title>
        {organization.owners.length === 0 ? (
          <Text c="dimmed">{t('noOwners')}</Text>
        ) : (
          <ul className={classes.places}>
            {organization.owners.map((owner) => (
              <li key={owner.id} className={classes.place}>
                <div>
                  <Text fw={600}>{nameOf({ ...owner, user: owner })}</Text>
                  <Text size="sm" c="dimmed">
                    <EmailLink email={owner.email} />
                  </Text>
                </div>
                <MembershipBadge status={owner.membershipStatus} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <Title order={3} mb="xs">
          {t('tab.sites')}
        </Title>
        {organization.sites.length === 0 ? (
          <Text c="dimmed">{t('noSites')}</Text>
        ) : (
          <SitesOf organization={organization} />
        )}
      </section>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('common:action.close')}
        </Button>
        <Button
          rightSection={<ArrowRight size={16} aria-hidden />}
          renderRoot={(props) => <Link {...props} {...link} />}
        >
          {t('openOrganization')}
        </Button>
      </Group>
    </Stack>
  );
}

function SitesOf({ organization }: { organization: Details }) {
  const { t } = useTranslation('dashboard');
  return (
    // A scrolling area must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.scroll} role="region" tabIndex={0} aria-label={t('tab.sites')}>
      <table className={classes.small}>
        <thead>
          <tr>
            <th scope="col">{t('column.siteName')}</th>
            <th scope="col" data-numeric="true">
              {t('column.available')}
            </th>
            <th scope="col" data-numeric="true">
              {t('column.beds')}
            </th>
            <th scope="col" data-numeric="true">
              {t('column.vacant')}
            </th>
            <th scope="col" data-numeric="true">
              {t('column.pending')}
            </th>
            {organization.isCommercial ? <th scope="col">{t('column.subscription')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {organization.sites.map((site) => (
            <tr key={site.id}>
              <td>
                <Link
                  className={classes.link}
                  to="/$organizationType/$organizationId/$siteId"
                  params={{
                    organizationType: organizationTypeFor(true, organization.isCommercial),
                    organizationId: organization.id,
                    siteId: site.id,
                  }}
                >
                  {site.name}
                  {site.isDisabled ? <EyeOff size={14} aria-label={t('hidden')} role="img" /> : null}
                </Link>
              </td>
              <td data-numeric="true">{site.countOfAvailableBeds}</td>
              <td data-numeric="true">{site.countOfBeds}</td>
              <td data-numeric="true">{site.countOfVacantBeds}</td>
              <td data-numeric="true">{site.countOfPending}</td>
              {site.subscription ? (
                <td>
                  <StatusBadge tone={site.subscription.isActive ? 'green' : 'gray'}>
                    {t(`subscription.${site.subscription.status}`)}
                  </StatusBadge>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
