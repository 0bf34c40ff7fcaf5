import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { ofKind } from '@/components/dialog/dialog-subject';
import type { HousesDialog } from '../houses.utils';
import { AddBedsForm } from './add-beds-form';
import { DisableBedForm } from './disable-bed-form';
import { EditBedForm } from './edit-bed-form';
import { HouseForm } from './house-form';
import { RefusalDialogs } from './refusal-dialogs';
import { RemovalDialogs } from './removal-dialogs';

interface HousesDialogsProps {
  readonly site: Schemas['SiteDetails'];
  readonly subject: HousesDialog | null;
  readonly onClose: () => void;
}

/** A house or a bed as the site shows it by now; one that is gone stays as it was, and the server says so. */
function asItIs<Item extends { id: string }>(item: Item, all: readonly Item[]): Item {
  return all.find(({ id }) => id === item.id) ?? item;
}

/** All dialogs of the Houses tab. */
export function HousesDialogs({ site, subject, onClose }: HousesDialogsProps) {
  const { t } = useTranslation('houses');
  const beds = site.rooms.flatMap((room) => room.beds);
  return (
    <>
      <Dialog subject={ofKind(subject, 'add-house')} title={t('houseDialog.addTitle')} onClose={onClose}>
        <HouseForm site={site} onDone={onClose} />
      </Dialog>
      <Dialog
        subject={ofKind(subject, 'edit-house')}
        title={({ room }) => t('houseDialog.editTitle', { house: room.name })}
        onClose={onClose}
      >
        {({ room }) => <HouseForm site={site} room={asItIs(room, site.rooms)} onDone={onClose} />}
      </Dialog>
      <Dialog
        subject={ofKind(subject, 'add-beds')}
        title={({ room }) => t('bedDialog.addTitle', { house: room.name })}
        onClose={onClose}
      >
        {({ room }) => <AddBedsForm siteId={site.id} room={room} onDone={onClose} />}
      </Dialog>
      <Dialog
        subject={ofKind(subject, 'edit-bed')}
        title={({ bed }) => t('bedDialog.editTitle', { bed: bed.name })}
        onClose={onClose}
      >
        {({ bed }) => <EditBedForm siteId={site.id} bed={asItIs(bed, beds)} onDone={onClose} />}
      </Dialog>
      <Dialog
        subject={ofKind(subject, 'disable-bed')}
        title={({ bed }) => t(bed.disabled ? 'disable.changeTitle' : 'disable.title', { bed: bed.name })}
        onClose={onClose}
      >
        {({ bed }) => (
          <DisableBedForm siteId={site.id} timeZone={site.timeZone} bed={asItIs(bed, beds)} onDone={onClose} />
        )}
      </Dialog>
      <RemovalDialogs siteId={site.id} subject={subject} onClose={onClose} />
      <RefusalDialogs site={site} subject={subject} onClose={onClose} />
    </>
  );
}
