import type { GuestShort } from '../types';
import classes from './board.module.css';

interface MoveHandleProps {
  readonly guest: GuestShort;
  /** "Move {guest}" */
  readonly label: string;
  readonly isPressed: boolean;
  /** Another guest is being moved: this handle is out of the way. */
  readonly isHidden: boolean;
  /** In Move mode the beds are the one tab stop, so the pressed handle leaves the tab order. */
  readonly isInBoard: boolean;
  readonly onToggle: (guestId: string) => void;
}

/** Starts Move mode for one guest, or ends it (guide web, section 11). */
export function MoveHandle({ guest, label, isPressed, isHidden, isInBoard, onToggle }: MoveHandleProps) {
  return (
    <button
      type="button"
      className={classes.handle}
      data-handle={guest.id}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      hidden={isHidden}
      tabIndex={isInBoard ? -1 : undefined}
      onClick={() => onToggle(guest.id)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M8 1.5v13M1.5 8h13M5.8 3.7 8 1.5l2.2 2.2M5.8 12.3 8 14.5l2.2-2.2M3.7 5.8 1.5 8l2.2 2.2M12.3 5.8 14.5 8l-2.2 2.2" />
      </svg>
    </button>
  );
}
