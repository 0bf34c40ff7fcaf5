import { memo, type ReactNode } from 'react';
import { BedTile } from '@/features/houses/ui/bed-tile';
import type { BedWaiting } from '@/features/houses/ui/bed-tile.utils';
import { judge } from '../board.utils';
import { dragMark, dropMark } from '../dnd';
import type { Bed, Misplaced } from '../types';
import type { BoardTexts } from '../use-board-texts';
import classes from './board.module.css';
import { MoveHandle } from './move-handle';

export interface Offer {
  readonly guestId: string;
  readonly hasBed: boolean;
  /** The beds that the placement rules bar, by id. */
  readonly barred: ReadonlyMap<string, readonly Misplaced[]>;
}

interface BedSlotProps {
  readonly bed: Bed;
  readonly texts: BoardTexts;
  /** Whether the user may move guests at all. */
  readonly canMove: boolean;
  /** The guest being moved in Move mode. */
  readonly offer: Offer | null;
  /** The one bed in the tab order. */
  readonly isStop: boolean;
  /** Set while it is not certain that the guest is in this bed. */
  readonly waiting?: BedWaiting;
  readonly onToggleMode: (guestId: string) => void;
  readonly onChoose: (bedId: string) => void;
}

/** Id of the sentence that tells why an occupied bed cannot be chosen for a guest without a bed. */
export const OCCUPIED_REASON_ID = 'board-occupied-reason';

/** One bed of the board. Drawn 500 times: plain elements only, and again only when its own props change. */
export const BedSlot = memo(function BedSlot(props: BedSlotProps) {
  const { bed, texts, canMove, offer, waiting, onToggleMode } = props;
  const tile = <BedTile bed={bed} texts={texts.bed} waiting={waiting} />;
  const isMoving = offer !== null && bed.guest?.id === offer.guestId;
  return (
    <li className={classes.slot} {...(canMove && dropMark(bed.id))}>
      {bed.guest && canMove ? (
        <GuestDrag key={bed.guest.id} guestId={bed.guest.id}>
          {tile}
        </GuestDrag>
      ) : (
        tile
      )}
      {offer && !bed.disabled && <Choice {...props} offer={offer} />}
      {bed.guest && canMove && (
        <MoveHandle
          guest={bed.guest}
          label={texts.move(bed.guest.displayName)}
          isPressed={isMoving}
          isHidden={offer !== null && !isMoving}
          isInBoard={offer !== null}
          onToggle={onToggleMode}
        />
      )}
    </li>
  );
});

/** The part of a slot, or of the waiting list, that can be dragged by mouse and touch. */
export function GuestDrag({ guestId, children }: { readonly guestId: string; readonly children: ReactNode }) {
  return (
    <div {...dragMark(guestId)} className={classes.card}>
      {children}
    </div>
  );
}

/** In Move mode each enabled bed is one button over its tile. */
function Choice({ bed, texts, offer, isStop, onChoose }: BedSlotProps & { readonly offer: Offer }) {
  const misplaced = offer.barred.get(bed.id);
  const verdict = misplaced ? 'barred' : judge(bed, offer.guestId, offer.hasBed);
  const badge = texts.badge(verdict);
  const barredId = `board-barred-${bed.id}`;
  const reasonId = misplaced ? barredId : verdict === 'occupied' ? OCCUPIED_REASON_ID : undefined;
  const button = (
    <button
      type="button"
      className={classes.choice}
      data-choice={bed.id}
      data-verdict={verdict}
      tabIndex={isStop ? 0 : -1}
      aria-label={texts.choice(verdict, bed)}
      aria-disabled={reasonId !== undefined || undefined}
      aria-describedby={reasonId}
      onClick={() => onChoose(bed.id)}
    >
      {badge && <span className={classes.badge}>{badge}</span>}
    </button>
  );
  if (!misplaced) return button;
  return (
    <>
      {button}
      <p id={barredId} hidden>
        {texts.barred(misplaced)}
      </p>
    </>
  );
}
