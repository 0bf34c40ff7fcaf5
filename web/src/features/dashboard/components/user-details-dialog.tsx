import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmailLink } from '@/components/contact-link';
import { Dialog } from '@/components/dialog/dialog';
import { NameMark } from '@/components/name-mark';
import { organizationTypeFor } from '@/lib/organization-types';
import { type DashboardRole, type DashboardUser, groupsOf } from '../dashboard.utils';
import classes from './dashboard.module.css';
import { MembershipBadge } from '@/features/users/ui/membership-badge';

/** Who a person is, and where with which role (spec A section 2, Users tab). */
export function UserDetailsDialog({ subject, onClose }: { subject: DashboardUser | null; onClose: () => void }) {
  const { t } = useTranslation(['dashboard', 'common']);
  return (
    <Dialog inAddress subject={subject} title={t('userDetails')} onClose={onClose}>
      {(user) => (
        <Stack gap="md">
          <dl className={classes.facts}>
            <dt>{t('fullName')}</dt>
            <dd>{`${user.firstName} ${user.lastName}`.trim() || t('common:notAvailable')}</dd>
            <dt>{t('column.email')}</dt>
            <dd>
              <EmailLink email={user.email} />
            </dd>
            <dt>{t('membershipStatus')}</dt>
            <dd>
              <MembershipBadge status={user.membershipStatus} />
            </dd>
          </dl>
          {groupsOf(user).map(({ role, places }) => (
            <section key={role} aria-label={t(`role.${role}`)}>
              <Title order={3} mb="xs">
                {t(`role.${role}`)}
              </Title>
              <ul className={classes.places}>
                {places.map((place) => (
                  <Place key={`${place.id} ${place.siteId}`} place={place} />
                ))}
              </ul>
            </section>
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:action.close')}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

function Place({ place }: { place: DashboardRole }) {
  const { t } = useTranslation('dashboard');
  return (
    <li className={classes.place}>
      <Group gap="sm" wrap="nowrap">
        {place.name ? <NameMark name={place.name} imagePath={place.logoPath} size={40} /> : null}
        <div>
          <Text fw={600}>{place.name ?? t('wholePlatform')}</Text>
          <Text size="sm" c="dimmed">
            {place.siteName ? `${t(`role.${place.userRole}`)} · ${place.siteName}` : t(`role.${place.userRole}`)}
          </Text>
        </div>
      </Group>
      {place.id && place.siteId ? (
        <Button
          size="compact-md"
          variant="default"
          rightSection={<ExternalLink size={14} aria-hidden />}
          renderRoot={(props) => (
            <Link
              {...props}
              to="/$organizationType/$organizationId/$siteId"
              params={{
                organizationType: organizationTypeFor(true, place.isCommercial ?? false),
                organizationId: place.id ?? '',
                siteId: place.siteId ?? '',
              }}
              target="_blank"
              aria-label={t('viewSiteOf', { site: place.siteName })}
            />
          )}
        >
          {t('viewSite')}
        </Button>
      ) : null}
    </li>
  );
}
