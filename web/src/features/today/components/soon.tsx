import type { Schemas } from '@/api/client';
import { Button } from '@mantine/core';
import { LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import { useOpenCommand } from '@/features/guests/api/open-commands';
import { CommandMark } from '@/features/guests/ui/command-mark';
import { formatDay } from '@/lib/time';
import { placeOf } from '@/features/guests/ui/guest-facts.utils';
import { steadyPress } from '@/lib/steady-press';
import classes from './today.module.css';
import { isByDeparture } from '../today.utils';
import { GuestLink } from './waiting-list';

interface SoonProps {
  stays: readonly Schemas['TodayStay'][];
  headingId: string;
  onDischarge: (guest: Schemas['Guest']) => void;
}

/** Guests who leave soon or should have left, the longest overdue first. */
export function Soon({ stays, headingId, onDischarge }: SoonProps) {
  const { t } = useTranslation(['today', 'guests']);
  return (
    <ul className={classes.moves} aria-labelledby={headingId} {...steadyPress}>
      {stays.map((stay) => {
        const { guest, site } = stay;
        const place = placeOf(guest);
        return (
          <li key={guest.id} className={classes.move} data-row={guest.id} tabIndex={-1}>
            <div className={classes.moveText}>
              <span>
                <GuestLink guest={guest} /> <span className={classes.code}>{guest.code}</span>
              </span>
              <span className={classes.dim}>
                {[site.name, place && t('guests:place', place)].filter(Boolean).join(' · ')}
              </span>
              <CommandMark guestId={guest.id} />
            </div>
            <div className={classes.ending}>
              <TimeLeft stay={stay} />
              <Discharge stay={stay} onDischarge={onDischarge} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Discharge({
  stay: { guest, site },
  onDischarge,
}: { stay: Schemas['TodayStay'] } & Pick<SoonProps, 'onDischarge'>) {
  const { t } = useTranslation('guests');
  const mayDischarge = useCan('guest.discharge', { site });
  const isOpen = useOpenCommand(guest.id) !== undefined;
  return mayDischarge ? (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<LogOut size={16} aria-hidden />}
      disabled={isOpen}
      aria-label={t('dischargeLabel', { guest: guest.displayName })}
      onClick={() => onDischarge(guest)}
      data-go-on
    >
      {t('discharge')}
    </Button>
  ) : null;
}

/** How long the stay may still be: until the day of departure, or until the maximum of the site. */
function TimeLeft({ stay }: { stay: Schemas['TodayStay'] }) {
  const { t, i18n } = useTranslation('today');
  const { guest, daysLeft, maximumStayDays } = stay;
  const byDeparture = isByDeparture(stay);
  const left = byDeparture ? t('soon.leavesIn', { count: daysLeft }) : t('soon.left', { count: daysLeft });
  const reached = byDeparture ? t('soon.leavesToday') : t('soon.reached');
  const over = byDeparture ? t('soon.shouldHaveLeft', { count: -daysLeft }) : t('soon.over', { count: -daysLeft });
  return (
    <div className={classes.daysLeft} data-over={byDeparture ? daysLeft < 0 : daysLeft <= 0}>
      <span>{daysLeft > 0 ? left : daysLeft === 0 ? reached : over}</span>
      <span className={classes.dim}>
        {byDeparture
          ? guest.expectedDeparture && formatDay(guest.expectedDeparture, i18n.language)
          : maximumStayDays !== null && t('soon.day', { day: guest.daysStayed, maximum: maximumStayDays })}
      </span>
    </div>
  );
}
