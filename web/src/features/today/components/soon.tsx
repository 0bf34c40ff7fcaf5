import { useTranslation } from 'react-i18next';
import { placeOf } from '@/features/guests/ui/guest-facts.utils';
import type { TodayStay } from '../api/today-query';
import classes from './today.module.css';
import { GuestLink } from './waiting-list';

/** Guests near or above the longest stay of their site, the longest above first. */
export function Soon({ stays, headingId }: { stays: readonly TodayStay[]; headingId: string }) {
  const { t } = useTranslation(['today', 'guests']);
  return (
    <ul className={classes.moves} aria-labelledby={headingId}>
      {stays.map(({ guest, site, daysLeft, maximumStayDays }) => {
        const place = placeOf(guest);
        return (
          <li key={guest.id} className={classes.move}>
            <div className={classes.moveText}>
              <span>
                <GuestLink guest={guest} /> <span className={classes.code}>{guest.code}</span>
              </span>
              <span className={classes.dim}>
                {[site.name, place && t('guests:place', place)].filter(Boolean).join(' · ')}
              </span>
            </div>
            <div className={classes.daysLeft} data-over={daysLeft <= 0}>
              <span>
                {daysLeft > 0
                  ? t('soon.left', { count: daysLeft })
                  : daysLeft === 0
                    ? t('soon.reached')
                    : t('soon.over', { count: -daysLeft })}
              </span>
              <span className={classes.dim}>{t('soon.day', { day: guest.daysStayed, maximum: maximumStayDays })}</span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
