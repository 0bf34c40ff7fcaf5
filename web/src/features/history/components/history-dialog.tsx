import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { FactList } from '@/components/fact-list';
import { GuestHeading, GuestPageLink } from '@/features/guests/ui/guest-heading';
import { hasCome } from '@/features/guests/ui/guest-facts.utils';
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
    <Dialog inAddress subject={subject} title={({ code }) => t('title', { code })} onClose={onClose}>
      {(guest) => <Details guest={guest} site={site} />}
    </Dialog>
  );
}

function Details({ guest, site }: { guest: Schemas['Guest']; site: Schemas['SiteDetails'] }) {
  const facts = useGuestFacts(guest, site);
  const wasHere = guest.acceptedAt !== null && hasCome(guest);
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
          facts.reason,
          facts.feedback,
        ]}
      />
      <UndoDecision guest={guest} site={site} />
      <GuestPageLink guest={guest} />
    </Stack>
  );
}
