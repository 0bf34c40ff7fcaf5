import { type CSSProperties, memo } from 'react';
import type { Room, Waits } from '../types';
import type { BoardTexts } from '../use-board-texts';
import { BedSlot, type Offer } from './bed-slot';
import classes from './board.module.css';

/** The id of a house's heading on the board. */
export const boardHeadingId = (houseId: string) => `board-house-${houseId}`;

interface HouseFrameProps {
  readonly house: Room;
  readonly texts: BoardTexts;
  readonly canMove: boolean;
  readonly offer: Offer | null;
  /** The bed in the tab order, if it stands in this house. */
  readonly stopBedId: string | null;
  /** Guests whose move is not certain. */
  readonly waits: Waits;
  readonly onToggleMode: (guestId: string) => void;
  readonly onChoose: (bedId: string) => void;
}

/** A house and its beds. Outside the window the browser skips it (content-visibility). */
export const HouseFrame = memo(function HouseFrame({ house, texts, stopBedId, waits, ...slot }: HouseFrameProps) {
  const headingId = boardHeadingId(house.id);
  return (
    <section
      className={classes.house}
      aria-labelledby={headingId}
      // For the size of the house before it is drawn; the rest of the sum stands in the style sheet.
      style={{ '--beds': house.beds.length } as CSSProperties}
    >
      <header className={classes.houseHead}>
        <h2 id={headingId} className={classes.houseName} tabIndex={-1}>
          {house.name}
        </h2>
        <span className={classes.houseCount}>{texts.vacantOf(house.vacantBedsCount, house.beds.length)}</span>
      </header>
      <ul className={classes.beds}>
        {house.beds.map((bed) => (
          <BedSlot
            key={bed.id}
            bed={bed}
            texts={texts}
            isStop={bed.id === stopBedId}
            waiting={bed.guest ? waits.get(bed.guest.id) : undefined}
            {...slot}
          />
        ))}
      </ul>
    </section>
  );
});
