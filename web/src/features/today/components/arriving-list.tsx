import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { ArrivalButtons } from '@/features/guests/ui/arrival-buttons';
import { CommandMark } from '@/features/guests/ui/command-mark';
import { placeOf } from '@/features/guests/ui/guest-facts.utils';
import { steadyPress } from '@/lib/steady-press';
import classes from './today.module.css';
import { GuestLink } from './waiting-list';

type Arriving = Schemas['TodayReservation'];

interface ArrivingListProps {
  arriving: readonly Arriving[];
  headingId: string;
  onNoShow: (guest: Schemas['Guest']) => void;
}

/** Guests whose bed is reserved until they come. */
export function ArrivingList({ arriving, headingId, onNoShow }: ArrivingListProps) {
  const { t } = useTranslation('guests');
  return (
    <ul className={classes.moves} aria-labelledby={headingId} {...steadyPress}>
      {arriving.map(({ guest, site }) => {
        const place = placeOf(guest);
        return (
          <li key={guest.id} className={classes.move} data-row={guest.id} tabIndex={-1}>
            <div className={classes.moveText}>
              <span>
                <GuestLink guest={guest} /> <span className={classes.code}>{guest.code}</span>
              </span>
              <span className={classes.dim}>{[site.name, place && t('place', place)].filter(Boolean).join(' · ')}</span>
              <CommandMark guestId={guest.id} />
            </div>
            <Actions guest={guest} site={site} onNoShow={onNoShow} />
          </li>
        );
      })}
    </ul>
  );
}

function Actions({ guest, site, onNoShow }: Arriving & Pick<ArrivingListProps, 'onNoShow'>) {
  const mayPlace = useCan('guest.discharge', { site });
  return mayPlace ? (
    <div className={classes.actions}>
      <ArrivalButtons size="sm" guest={guest} onNoShow={() => onNoShow(guest)} />
    </div>
  ) : null;
}
