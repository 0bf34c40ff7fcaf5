import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldLeft } from '@/features/guests/ui/hold-left';
import type { WaitingGuest } from '../types';
import type { BoardTexts } from '../use-board-texts';
import { GuestDrag } from './bed-slot';
import classes from './board.module.css';
import { MoveHandle } from './move-handle';

interface WaitingListProps {
  readonly guests: readonly WaitingGuest[];
  readonly texts: BoardTexts;
  readonly canMove: boolean;
  readonly movingGuestId: string | null;
  readonly onToggleMode: (guestId: string) => void;
}

/** The guests whose reservation is pending, the most urgent first: they can be placed from here, too. */
export const WaitingList = memo(function WaitingList(props: WaitingListProps) {
  const { guests, texts, canMove, movingGuestId, onToggleMode } = props;
  const { t } = useTranslation('board');
  return (
    <section className={classes.waiting} aria-labelledby="board-waiting">
      <h2 id="board-waiting" className={classes.houseName}>
        {t('waiting')} <span className={classes.number}>{guests.length}</span>
      </h2>
      <ul className={classes.waitingGuests}>
        {guests.map((guest) => {
          const card = (
            <div className={classes.waitingCard}>
              <span className={classes.waitingName}>
                {guest.firstName} {guest.lastName}.
              </span>
              <span className={classes.waitingState}>
                <span>{guest.code}</span>
                {guest.expiresAt === null ? <span>{t('pending')}</span> : <HoldLeft expiresAt={guest.expiresAt} />}
              </span>
            </div>
          );
          return (
            <li key={guest.id} className={classes.slot}>
              {canMove ? <GuestDrag guestId={guest.id}>{card}</GuestDrag> : card}
              {canMove && (
                <MoveHandle
                  guest={guest}
                  label={texts.move(guest.displayName)}
                  isPressed={guest.id === movingGuestId}
                  isHidden={movingGuestId !== null && guest.id !== movingGuestId}
                  isInBoard={movingGuestId !== null}
                  onToggle={onToggleMode}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
});
