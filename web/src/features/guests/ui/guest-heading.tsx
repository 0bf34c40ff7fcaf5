import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { fullName } from './guest-facts.utils';
import { GuestStatusBadge } from './guest-status';

/** Name and state of a guest. */
export function GuestHeading({ guest }: { guest: Schemas['Guest'] }) {
  return (
    <Group gap="sm">
      <Text component="h3" fw={650} fz="xl" m={0}>
        {fullName(guest)}
      </Text>
      <GuestStatusBadge guest={guest} />
    </Group>
  );
}

/** Leads to the page of the guest. */
export function GuestPageLink({ guest }: { guest: Pick<Schemas['Guest'], 'id' | 'siteId'> }) {
  const { t } = useTranslation('guests');
  return (
    <Anchor
      data-touch
      renderRoot={(props) => (
        <Link
          to="/reservations/guest/$siteId/$guestId"
          params={{ siteId: guest.siteId, guestId: guest.id }}
          {...props}
        />
      )}
    >
      {t('pageLink')}
    </Anchor>
  );
}
