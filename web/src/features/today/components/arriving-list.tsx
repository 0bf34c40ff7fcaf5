import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { ArrivalButtons } from '@/features/guests/ui/arrival-buttons';
import { CommandMark } from '@/features/guests/ui/command-mark';
import { placeOf } from '@/features/guests/ui/guest-facts.utils';
import { steadyPress } from '@/lib/steady-press';
import { neighborOf } from '@/lib/neighbor';
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
          <li key={guest.id} className={classes.move} data-arriving={guest.id}>
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

/**
 * When the row that had the focus goes, the next one has it, on its *Arrived*; the heading when none is left. For the
 * screen around the list, which stays when the list goes.
 */
export function useFocusArriving(arriving: readonly Arriving[], headingId: string): void {
  const before = useRef<readonly string[]>([]);
  const focused = useRef<string | undefined>(undefined);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-arriving]') : null;
      // The question about a no-show belongs to the row that it was asked from.
      if (!(target instanceof Element && target.closest('[role="dialog"]'))) focused.current = row?.dataset.arriving;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useEffect(() => {
    const now = arriving.map(({ guest }) => guest.id);
    const gone = focused.current;
    if (gone !== undefined && before.current.includes(gone) && !now.includes(gone)) {
      const next = neighborOf(gone, before.current, now);
      const row = [...document.querySelectorAll<HTMLElement>('[data-arriving]')].find(
        ({ dataset }) => dataset.arriving === next,
      );
      (row?.querySelector<HTMLElement>('[data-arrived]') ?? document.getElementById(headingId))?.focus({
        // The list is at the foot of the part: the screen stays where it is.
        preventScroll: true,
      });
    }
    before.current = now;
  }, [arriving, headingId]);
}
