import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { useFocusBack } from '@/components/use-focus-back';
import { useLast } from '@/components/use-last';
import type { Bed, HousesDialog } from '../houses.utils';
import { AddBedsForm } from './add-beds-form';
import { EditBedForm } from './edit-bed-form';
import { HouseForm } from './house-form';
import { RemovalDialogs } from './removal-dialogs';

interface HousesDialogsProps {
  readonly site: Schemas['SiteDetails'];
  readonly dialog: HousesDialog | null;
  readonly onClose: () => void;
}

/** The bed as the site shows it by now; one that is gone stays as it was, and the server says so. */
function asItIs(site: Schemas['SiteDetails'], bed: Bed): Bed {
  return site.rooms.flatMap((room) => room.beds).find(({ id }) => id === bed.id) ?? bed;
}

/** Where the focus belongs after a dialog: the menu button of the bed or house it was about. */
function menuSelector(dialog: HousesDialog | null): string | null {
  if (dialog && 'bed' in dialog) return `[data-bed-menu="${dialog.bed.id}"]`;
  if (dialog && 'room' in dialog) return `[data-house-head="${dialog.room.id}"] button`;
  return null;
}

/** All dialogs of the Houses tab. */
export function HousesDialogs({ site, dialog, onClose }: HousesDialogsProps) {
  const { t } = useTranslation(['houses', 'common']);
  const shown = useLast(dialog);
  useFocusBack(menuSelector(dialog));
  const isForm = dialog !== null && ['add-house', 'edit-house', 'add-beds', 'edit-bed'].includes(dialog.kind);
  return (
    <>
      <Modal
        opened={isForm}
        onClose={onClose}
        size={440}
        title={shown && titleOf(shown)}
        closeButtonProps={{ 'aria-label': t('common:action.close') }}
      >
        {shown?.kind === 'add-house' && <HouseForm site={site} onDone={onClose} />}
        {shown?.kind === 'edit-house' && <HouseForm site={site} room={shown.room} onDone={onClose} />}
        {shown?.kind === 'add-beds' && <AddBedsForm siteId={site.id} room={shown.room} onDone={onClose} />}
        {shown?.kind === 'edit-bed' && (
          <EditBedForm siteId={site.id} bed={shown.bed} current={asItIs(site, shown.bed)} onDone={onClose} />
        )}
      </Modal>
      <RemovalDialogs siteId={site.id} dialog={dialog} shown={shown} onClose={onClose} />
      <Refusal site={site} dialog={dialog} shown={shown} onClose={onClose} />
    </>
  );

  function titleOf(of: HousesDialog): string | null {
    switch (of.kind) {
      case 'add-house':
        return t('houseDialog.addTitle');
      case 'edit-house':
        return t('houseDialog.editTitle', { house: of.room.name });
      case 'add-beds':
        return t('bedDialog.addTitle', { house: of.room.name });
      case 'edit-bed':
        return t('bedDialog.editTitle', { bed: of.bed.name });
      default:
        return null;
    }
  }
}

interface RefusalProps extends HousesDialogsProps {
  readonly shown: HousesDialog | null;
}

/** Says why something cannot be done, and what to do first (spec B, section 8). */
function Refusal({ site, dialog, shown, onClose }: RefusalProps) {
  const { t } = useTranslation('houses');
  const navigate = useNavigate();
  const canReassign = useCan('guest.reassign', { site });
  const opened = dialog?.kind === 'refuse-bed' || dialog?.kind === 'refuse-house';
  const guest = shown?.kind === 'refuse-bed' ? shown.bed.guest : null;
  return (
    <Modal opened={opened} onClose={onClose} size={440} withCloseButton={false} title={shown && title(shown)}>
      <Stack gap="md">
        <Text>{shown && hint(shown)}</Text>
        <Group justify="flex-end" gap="sm">
          {guest && canReassign && (
            <Button
              variant="default"
              onClick={() => void navigate({ to: '/reservations-request/$guestId', params: { guestId: guest.id } })}
            >
              {t('refused.reassign', { guest: guest.displayName })}
            </Button>
          )}
          <Button onClick={onClose} data-autofocus>
            {t('refused.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );

  function title(of: HousesDialog): string | null {
    if (of.kind === 'refuse-house') return t('refused.deleteHouse');
    return of.kind === 'refuse-bed' ? t(`refused.${of.action}`) : null;
  }

  function hint(of: HousesDialog): string | null {
    if (of.kind === 'refuse-house') {
      return t('refused.deleteHouseHint', {
        count: of.room.beds.filter((bed) => bed.guest).length,
        house: of.room.name,
      });
    }
    if (of.kind !== 'refuse-bed') return null;
    return t('refused.bedHint', { guest: of.bed.guest?.displayName ?? '', bed: of.bed.name });
  }
}
