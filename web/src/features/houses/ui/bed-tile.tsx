import { memo, type ReactNode } from 'react';
import type { Schemas } from '@/api/client';
import { pictureUrl } from '@/components/picture';
import classes from './bed-tile.module.css';
import { type BedWaiting, type ShownBedState, shownBedState, splitBedName } from './bed-tile.utils';
import type { BedTexts } from './use-bed-texts';

interface BedTileProps {
  readonly bed: Pick<
    Schemas['Bed'],
    | 'name'
    | 'type'
    | 'disabled'
    | 'disabledKind'
    | 'disabledReason'
    | 'expectedBack'
    | 'isOverdue'
    | 'offeredUntil'
    | 'guest'
  >;
  /** From `useBedTexts()`: one object for all tiles, so that a tile is drawn again only when its bed changes. */
  readonly texts: BedTexts;
  /** Its photo, where there is room for one. */
  readonly photo?: string | null;
  /** Set while the guest's move to this bed is not certain; the word takes the place of the state. */
  readonly waiting?: BedWaiting;
  /** A control at the end of the first line, e.g. the menu of the bed. */
  readonly action?: ReactNode;
}

/** A bed as it looks everywhere: name, type, state by shape and word, the guest and the days (DESIGN, section 10). */
export const BedTile = memo(function BedTile({ bed, texts, photo, waiting, action }: BedTileProps) {
  const state = shownBedState(bed);
  return (
    <div className={classes.tile} data-state={state} data-waiting={waiting}>
      <div className={classes.head}>
        {photo ? (
          <img className={classes.photo} src={pictureUrl(photo, true)} alt="" width={28} height={28} loading="lazy" />
        ) : null}
        <BedName name={bed.name} />
        {action}
      </div>
      <div className={classes.facts}>
        <span className={classes.type}>{texts.type(bed.type)}</span>
        <span className={classes.state}>
          <BedShape state={waiting ? 'waiting' : state} />
          <span className={classes.word}>{waiting ? texts.waiting(waiting) : texts.state(state)}</span>
        </span>
      </div>
      {state === 'disabled' && bed.disabledKind ? (
        <div className={classes.outage}>
          <span className={classes.reason}>{texts.outage(bed.disabledKind, bed.disabledReason)}</span>
          {bed.expectedBack && <span>{texts.expectedBack(bed.expectedBack, bed.isOverdue)}</span>}
        </div>
      ) : null}
      {bed.guest && (
        <div className={classes.guest}>
          <span className={classes.guestName}>{bed.guest.displayName}</span>
          {/* Nobody who is still to come has stayed a day. */}
          {bed.guest.isArriving ? null : (
            <span className={classes.days} data-part="days">
              {texts.days(bed.guest.daysStayed)}
            </span>
          )}
        </div>
      )}
      {bed.guest?.expectedDeparture && (
        <span className={classes.leaves}>{texts.leaves(bed.guest.expectedDeparture)}</span>
      )}
    </div>
  );
});

/** The name in at most two lines. The number at its end is never cut: it is what tells one bed from the next. */
function BedName({ name }: { readonly name: string }) {
  const { words, number } = splitBedName(name);
  return (
    <span className={classes.name}>
      <span className={classes.words}>{words}</span>
      {number && <span className={classes.number}>{number}</span>}
    </span>
  );
}

/**
 * A square that is open, full, half full (arriving), has a dot (offered) or stands on its corner, a dashed circle for what is not certain: the
 * state without colour, as in the big counts.
 */
function BedShape({ state }: { readonly state: ShownBedState | 'waiting' }) {
  return (
    <svg className={classes.shape} viewBox="0 0 12 12" aria-hidden="true">
      {state === 'waiting' ? (
        <circle cx="6" cy="6" r="4.5" fill="none" strokeDasharray="2.4 2.3" />
      ) : state === 'disabled' ? (
        <path d="M6 1.5 10.5 6 6 10.5 1.5 6Z" fill="none" />
      ) : (
        <>
          <rect x="2" y="2" width="8" height="8" rx="1.5" fill={state === 'occupied' ? 'currentColor' : 'none'} />
          {state === 'offered' && <rect x="5" y="5" width="2" height="2" fill="currentColor" />}
          {state === 'arriving' && <rect x="2" y="6" width="8" height="4" rx="1" fill="currentColor" />}
        </>
      )}
    </svg>
  );
}
