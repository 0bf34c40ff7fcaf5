import { BedDouble, DoorOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { bedTypeKey } from '@/features/houses/ui/bed-tile.utils';
import { StatusBadge } from '@/components/status-badge';
import { fileAddress } from '@/lib/files';
import classes from './guest-details.module.css';

/** Where the guest sleeps: the house with its photo, the bed with type and number, and that it is occupied. */
export function RoomAndBed({ guest }: { guest: Schemas['Guest'] }) {
  const { t } = useTranslation(['guests', 'houses']);
  const { room, bed } = guest;
  return (
    <section className={classes.panel} aria-labelledby="guest-place">
      <h2 id="guest-place" className={classes.heading}>
        {t('details.roomAndBed')}
      </h2>
      {room && bed ? (
        <>
          <RoomPhoto room={room} />
          <div className={classes.place}>
            <span className={classes.placeName}>{room.name}</span>
            <StatusBadge tone="gray" icon={<BedDouble size={14} aria-hidden />}>
              {t(guest.isArriving ? 'details.reserved' : 'details.occupied')}
            </StatusBadge>
          </div>
          <div className={classes.bed}>
            <span className={classes.bedName}>{bed.name}</span>
            <span className={classes.dim}>
              {t(`houses:type.${bedTypeKey(bed.type)}`)} · {t('details.bedNumber', { number: bed.index })}
            </span>
            <span>{guest.displayName}</span>
          </div>
        </>
      ) : (
        <p className={classes.dim}>{guest.status === 'pending' ? t('details.noBedPending') : endedText(guest, t)}</p>
      )}
    </section>
  );
}

function endedText(
  { status }: Schemas['Guest'],
  t: ReturnType<typeof useTranslation<['guests', 'houses']>>['t'],
): string {
  const hasEnded = status === 'rejected' || status === 'discharged' || status === 'expired';
  return hasEnded ? t('details.ended') : t('details.noBed');
}

function RoomPhoto({ room }: { room: Schemas['RoomShort'] }) {
  const { t } = useTranslation('guests');
  const address = fileAddress(room.imagePath);
  if (!address) {
    return (
      <div className={classes.noPhoto}>
        <DoorOpen size={28} strokeWidth={1.5} aria-hidden />
        {t('details.noPhoto')}
      </div>
    );
  }
  return (
    <img className={classes.photo} src={address} alt={t('details.roomPhoto', { name: room.name })} loading="lazy" />
  );
}
