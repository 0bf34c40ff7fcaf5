import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { ofKind } from '@/components/dialog/dialog-subject';
import type { HousesDialog } from '../houses.utils';

interface RefusalDialogsProps {
  readonly site: Schemas['SiteDetails'];
  readonly subject: HousesDialog | null;
  readonly onClose: () => void;
}

/** Says why something cannot be done, and what to do first (spec B, section 8). */
export function RefusalDialogs({ site, subject, onClose }: RefusalDialogsProps) {
  const { t } = useTranslation('houses');
  return (
    <>
      <Dialog
        subject={ofKind(subject, 'refuse-house')}
        width={350}
        withCloseButton={false}
        title={t('refused.deleteHouse')}
        onClose={onClose}
      >
        {({ room }) => {
          const count = room.beds.filter((bed) => bed.guest).length;
          return <Refusal hint={t('refused.deleteHouseHint', { count, house: room.name })} onClose={onClose} />;
        }}
      </Dialog>
      <Dialog
        subject={ofKind(subject, 'refuse-bed')}
        width={350}
        withCloseButton={false}
        title={({ action }) => t(`refused.${action}`)}
        onClose={onClose}
      >
        {({ bed }) => (
          <Refusal
            hint={t('refused.bedHint', { guest: bed.guest?.displayName ?? '', bed: bed.name })}
            onClose={onClose}
          >
            {bed.guest && <ReassignButton site={site} guest={bed.guest} />}
          </Refusal>
        )}
      </Dialog>
    </>
  );
}

function Refusal({ hint, onClose, children }: { hint: string; onClose: () => void; children?: ReactNode }) {
  const { t } = useTranslation('houses');
  return (
    <Stack gap="md">
      <Text>{hint}</Text>
      <Group justify="flex-end" gap="sm">
        {children}
        <Button onClick={onClose} data-autofocus>
          {t('refused.close')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The way to another bed for the guest in the way. */
function ReassignButton({ site, guest }: { site: Schemas['SiteDetails']; guest: Schemas['GuestShort'] }) {
  const { t } = useTranslation('houses');
  const navigate = useNavigate();
  const canReassign = useCan('guest.reassign', { site });
  if (!canReassign) return null;
  return (
    <Button
      variant="default"
      onClick={() => void navigate({ to: '/reservations-request/$guestId', params: { guestId: guest.id } })}
    >
      {t('refused.reassign', { guest: guest.displayName })}
    </Button>
  );
}
