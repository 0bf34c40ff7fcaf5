import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Check, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { Dialog } from '@/components/dialog/dialog';
import { FactList } from '@/components/fact-list';
import { useOpenCommand } from '@/features/guests/api/open-commands';
import { CommandWait } from '@/features/guests/ui/command-wait';
import { EarlierOfGuest } from '@/features/guests/ui/earlier-reservations';
import { GuestStatusBadge } from '@/features/guests/ui/guest-status';
import { fullName } from '@/features/guests/ui/guest-facts.utils';
import { InsuranceCards } from '@/features/guests/ui/insurance-cards';
import { useGuestFacts } from '@/features/guests/ui/use-guest-facts';

interface ReservationDialogProps {
  subject: Schemas['Guest'] | undefined;
  site: Schemas['SiteDetails'];
  onClose: () => void;
  onAccept: (guest: Schemas['Guest']) => void;
  onDecline: (guest: Schemas['Guest']) => void;
}

/** All there is to know about one reservation, and the two decisions (spec B section 2). */
export function ReservationDialog({ subject, onClose, ...props }: ReservationDialogProps) {
  const { t } = useTranslation('reservations');
  return (
    <Dialog inAddress subject={subject} title={({ code }) => t('detailTitle', { code })} onClose={onClose}>
      {(guest) => <Details guest={guest} {...props} />}
    </Dialog>
  );
}

type DetailsProps = Omit<ReservationDialogProps, 'subject' | 'onClose'> & { guest: Schemas['Guest'] };

function Details({ guest, site, onAccept, onDecline }: DetailsProps) {
  const { t } = useTranslation('reservations');
  const canDecide = useCan('guest.accept', { site });
  const facts = useGuestFacts(guest, site);
  const isPending = guest.status === 'pending';
  const open = useOpenCommand(guest.id);
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Text component="h3" fw={650} fz="xl" m={0}>
          {fullName(guest)}
        </Text>
        <GuestStatusBadge guest={guest} />
      </Group>
      <EarlierOfGuest guest={guest} timeZone={site.timeZone} />
      <FactList
        facts={[
          facts.code,
          facts.phone,
          facts.email,
          facts.location,
          facts.gender,
          facts.age,
          facts.typeOfClient,
          facts.services,
          ...facts.payment,
          facts.reservationDate,
          facts.expiry,
        ]}
      />
      <InsuranceCards guest={guest} />
      {isPending ? null : <Alert color="gray">{t('gone')}</Alert>}
      <CommandWait state={open?.state} />
      {canDecide && isPending ? (
        <Group justify="flex-end" gap="sm">
          <Button
            variant="default"
            leftSection={<X size={18} aria-hidden />}
            disabled={open !== undefined}
            data-shortcut="d"
            onClick={() => onDecline(guest)}
          >
            {t('decline')}
          </Button>
          <Button
            leftSection={<Check size={18} aria-hidden />}
            disabled={open !== undefined}
            data-shortcut="a"
            onClick={() => onAccept(guest)}
          >
            {t('accept')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}
