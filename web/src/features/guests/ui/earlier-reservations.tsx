import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { serverNow } from '@/lib/clock';
import { formatDay, formatShortDay, isoDay } from '@/lib/time';
import { earlierOfGuestQuery } from '../api/earlier-queries';
import classes from './earlier.module.css';
import { shownStatus } from './guest-facts.utils';

type Earlier = Schemas['EarlierReservation'];

interface EarlierReservationsProps {
  /** Newest first. */
  items: readonly Earlier[];
  /** Time zone of the site that asks. */
  timeZone: string;
}

/** Other reservations of the same person: one calm line, and the rest on request. Nothing without any. */
export function EarlierReservations({ items, timeZone }: EarlierReservationsProps) {
  const { t } = useTranslation('guests');
  const line = useLine(items, timeZone);
  if (line === null) return null;
  return (
    <div className={classes.box}>
      <p className={classes.line}>{line}</p>
      <details className={classes.more}>
        <summary data-touch>{t('earlier.show')}</summary>
        <ul className={classes.list} aria-label={t('earlier.list')}>
          {items.map((item) => (
            <EarlierItem key={item.id} item={item} timeZone={timeZone} />
          ))}
        </ul>
      </details>
    </div>
  );
}

interface EarlierItemProps {
  item: Earlier;
  timeZone: string;
  /** Stands below the facts. */
  children?: ReactNode;
}

/** One of them in a list, with a link to its page. */
export function EarlierItem({ item, timeZone, children }: EarlierItemProps) {
  return (
    <li>
      <Link
        to="/reservations/guest/$siteId/$guestId"
        params={{ siteId: item.siteId, guestId: item.id }}
        className={classes.link}
        data-touch
      >
        {item.displayName}
      </Link>
      <Details item={item} timeZone={timeZone} />
      {children}
    </li>
  );
}

/** Those of a guest who is known. */
export function EarlierOfGuest({ guest, timeZone }: { guest: Pick<Schemas['Guest'], 'id'>; timeZone: string }) {
  const { data } = useQuery(earlierOfGuestQuery(guest.id));
  return data ? <EarlierReservations items={data.items} timeZone={timeZone} /> : null;
}

/** A guest who was accepted and did not come did not stay. */
function isStay({ acceptedAt, noShowAt }: Earlier): boolean {
  return acceptedAt !== null && noShowAt === null;
}

function Details({ item, timeZone }: { item: Earlier; timeZone: string }) {
  const { t } = useTranslation(['guests', 'common']);
  const day = useDay(timeZone);
  const end = item.dischargedAt ?? item.rejectedAt;
  const from = day(item.acceptedAt ?? item.createdAt);
  const isOpen = item.acceptedAt !== null && end === null;
  const dates = isOpen ? t('earlier.since', { from }) : end ? t('earlier.from', { from, until: day(end) }) : from;
  const reason = [item.reasonName, item.feedback].filter(Boolean).join(': ');
  const days = !isStay(item) ? null : t('common:daysStayed', { count: item.daysStayed });
  return (
    <>
      <span>{[item.siteName, t(`status.${shownStatus(item)}`)].join(' · ')}</span>
      <span className={classes.dim}>{[dates, days].filter(Boolean).join(' · ')}</span>
      {reason ? <span className={classes.dim}>{t('earlier.reason', { reason })}</span> : null}
    </>
  );
}

/** What there is to say in one line: stays before reservations that never became one. */
function useLine(items: readonly Earlier[], timeZone: string): string | null {
  const { t } = useTranslation('guests');
  const day = useDay(timeZone);
  const stays = items.filter(isStay);
  const here = stays.find(({ dischargedAt }) => dischargedAt === null);
  if (here) return t('earlier.here', { count: stays.length, site: here.siteName });
  const last = stays.reduce<Earlier | undefined>(
    (latest, stay) => ((latest?.dischargedAt ?? '') < (stay.dischargedAt ?? '') ? stay : latest),
    undefined,
  );
  if (last?.dischargedAt) {
    return t('earlier.stays', { count: stays.length, site: last.siteName, day: day(last.dischargedAt) });
  }
  const [newest] = items;
  if (!newest) return null;
  return t('earlier.asked', { count: items.length, site: newest.siteName, day: day(newest.createdAt) });
}

/** Writes the day of an instant, with the year if it is another one. */
function useDay(timeZone: string): (instant: string) => string {
  const { i18n } = useTranslation('guests');
  const thisYear = isoDay(new Date(serverNow()), timeZone).slice(0, 4);
  return (instant) => {
    const day = isoDay(instant, timeZone);
    return (day.startsWith(thisYear) ? formatShortDay : formatDay)(day, i18n.language);
  };
}
