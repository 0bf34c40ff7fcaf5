import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { formatDateTime } from '@/lib/time';
import { timelineQuery } from '../api/timeline-query';
import classes from './guest-details.module.css';

interface GuestTimelineProps {
  guest: Pick<Schemas['Guest'], 'id' | 'version'>;
  site: Pick<Schemas['SiteDetails'], 'timeZone'>;
}

/** What happened to a guest, by whom and when. */
export function GuestTimeline({ guest, site }: GuestTimelineProps) {
  const { t, i18n } = useTranslation('guests');
  const { data, error, refetch } = useQuery(timelineQuery(guest));
  const place = ({ roomName, bedName }: Schemas['GuestEvent']) =>
    t('place', { room: roomName ?? '', bed: bedName ?? '' });
  const until = ({ heldUntil }: Schemas['GuestEvent']) =>
    heldUntil === null ? '' : formatDateTime(heldUntil, i18n.language, site.timeZone);
  const by = ({ by: name, isYou }: Schemas['GuestEvent']) =>
    isYou ? t('timeline.byYou') : name && t('timeline.by', { name });
  return (
    <section className={classes.panel} aria-labelledby="guest-timeline">
      <h2 id="guest-timeline" className={classes.heading}>
        {t('timeline.title')}
      </h2>
      {data ? (
        <ol className={classes.timeline}>
          {data.events.map((event, index) => (
            <li key={`${event.kind} ${event.at} ${index}`}>
              <span className={classes.event}>
                {t(`timeline.${event.kind}`, {
                  place: place(event),
                  until: until(event),
                  mergedWith: event.mergedWith ?? t('timeline.unseen'),
                })}
              </span>
              <span className={classes.dim}>
                <time dateTime={event.at}>{formatDateTime(event.at, i18n.language, site.timeZone)}</time>
                {by(event) ? ` · ${by(event)}` : null}
              </span>
              {event.placementReason ? (
                <span className={classes.dim}>{t('timeline.placementReason', { reason: event.placementReason })}</span>
              ) : null}
              {event.reasonName ? (
                <span className={classes.dim}>{t('decide.withReason', { reason: event.reasonName })}</span>
              ) : null}
              {event.feedback ? (
                <span className={classes.dim}>
                  {event.kind === 'noShow'
                    ? t('decide.withReason', { reason: event.feedback })
                    : t('decide.withFeedback', { feedback: event.feedback })}
                </span>
              ) : null}
            </li>
          ))}
        </ol>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <TableSkeleton />
      )}
    </section>
  );
}
