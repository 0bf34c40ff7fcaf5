import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { FactList } from '@/components/fact-list';
import { GuestStatusBadge } from '@/features/guests/ui/guest-status';
import { fullName } from '@/features/guests/ui/guest-facts.utils';
import { useGuestFacts } from '@/features/guests/ui/use-guest-facts';
import { UndoDecision } from '@/features/guests/ui/undo-decision';
import { DaysFact } from './days-fact';

interface HistoryDialogProps {
  subject: Schemas['Guest'] | undefined;
  site: Schemas['SiteDetails'];
  onClose: () => void;
}

/** All there is to know about a guest of the history; a decision of the last day can be undone (spec B section 2). */
export function HistoryDialog({ subject, site, onClose }: HistoryDialogProps) {
  const { t } = useTranslation('history');
  return (
    <Dialog subject={subject} title={({ code }) => t('title', { code })} onClose={onClose}>
      {(guest) => <Details guest={guest} site={site} />}
    </Dialog>
  );
}

function Details({ guest, site }: { guest: Schemas['Guest']; site: Schemas['SiteDetails'] }) {
  const facts = useGuestFacts(guest, site);
  const wasHere = guest.acceptedAt !== null;
  return (
    <Stack gap="md">
      <GuestHeading guest={guest} />
      <FactList
        facts={[
          facts.code,
          facts.gender,
          facts.age,
          facts.typeOfClient,
          facts.phone,
          facts.email,
          facts.location,
          facts.services,
          ...facts.payment,
          facts.reservationDate,
          facts.acceptedAt,
          wasHere ? { ...facts.days, value: <DaysFact guest={guest} site={site} /> } : null,
          facts.dischargedAt,
          facts.rejectedAt,
          facts.expiredAt,
          facts.feedback,
        ]}
      />
      <UndoDecision guest={guest} site={site} />
      <GuestPageLink guest={guest} />
    </Stack>
  );
}

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

/** The way to the guest's own page. */
export function GuestPageLink({ guest }: { guest: Schemas['Guest'] }) {
  const { t } = useTranslation('history');
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
      {t('guestPage')}
    </Anchor>
  );
}
