import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { FactList } from '@/components/guest-facts/fact-list';
import { GuestStatusBadge } from '@/components/guest-facts/guest-status';
import { fullName } from '@/components/guest-facts/guest-facts.utils';
import { InsuranceCards } from '@/components/guest-facts/insurance-cards';
import { useGuestFacts } from '@/components/guest-facts/use-guest-facts';

interface ReservationDialogProps {
  guest: Schemas['Guest'];
  site: Schemas['SiteDetails'];
  onClose: () => void;
  onAccept: () => void;
  onDecline: () => void;
}

/** All there is to know about one reservation, and the two decisions (spec B section 2). */
export function ReservationDialog({ guest, site, onClose, onAccept, onDecline }: ReservationDialogProps) {
  const { t } = useTranslation(['reservations', 'common']);
  const canDecide = useCan('guest.accept', { site });
  const facts = useGuestFacts(guest, site);
  const [isZoomed, setZoomed] = useState(false);
  const isPending = guest.status === 'pending';
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      closeOnEscape={!isZoomed}
      title={t('detailTitle', { code: guest.code })}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      <Stack gap="md">
        <Group gap="sm">
          <Text component="h3" fw={650} fz="xl" m={0}>
            {fullName(guest)}
          </Text>
          <GuestStatusBadge status={guest.status} />
        </Group>
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
        <InsuranceCards guest={guest} onZoom={setZoomed} />
        {isPending ? null : <Alert color="gray">{t('gone')}</Alert>}
        {canDecide && isPending ? (
          <Group justify="flex-end" gap="sm">
            <Button variant="default" leftSection={<X size={18} aria-hidden />} onClick={onDecline}>
              {t('decline')}
            </Button>
            <Button leftSection={<Check size={18} aria-hidden />} onClick={onAccept}>
              {t('accept')}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Modal>
  );
}
