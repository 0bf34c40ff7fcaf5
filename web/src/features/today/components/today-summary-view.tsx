import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/components/error-state';
import { NewReservations } from '@/features/reservations/ui/new-reservations';
import { formatNumber } from '@/lib/format';
import type { useToday } from '../api/use-today';
import { SummaryFrame, type SummarySize, SummarySkeleton, useMaxima } from '../ui/summary-frame';
import { FreeNow } from './free-now';
import { Section } from './section';
import classes from './today.module.css';
import { type Decide, type FocusRequest, useFocusRow, WaitingList } from './waiting-list';

interface TodaySummaryViewProps extends Decide {
  query: ReturnType<typeof useToday>;
  focus: FocusRequest | null;
  /** Ids of the guests whose reservations have just come. */
  newIds: ReadonlySet<string>;
  expected?: SummarySize | undefined;
}

/** The main part of Today, above what a screen is about: at most five reservations, and one line a site. */
export function TodaySummaryView({ query, focus, newIds, expected, ...decide }: TodaySummaryViewProps) {
  const { t, i18n } = useTranslation('today');
  const id = useId();
  const maxima = useMaxima();
  const { data: today, error, refetch } = query;
  useFocusRow(focus, today?.waiting, `${id}-waiting`);
  if (!today) {
    return error ? (
      <SummaryFrame expected={expected}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </SummaryFrame>
    ) : (
      <SummarySkeleton expected={expected} />
    );
  }
  const number = (value: number) => formatNumber(value, i18n.language);
  const more = (shown: number, total: number, text: string) => (total > shown ? <TodayLink text={text} /> : null);
  return (
    <SummaryFrame expected={expected} labelledBy={id}>
      <div className={classes.summaryHead}>
        <h2 id={id} className={classes.heading}>
          {t('title')}
        </h2>
        <TodayLink text={t('open')} />
      </div>
      <Section id={`${id}-waiting`} part="waiting" level={3} title={t('waiting.title', { count: today.waitingTotal })}>
        <NewReservations guests={today.waiting.map(({ guest }) => guest)} newIds={newIds} />
        {today.waiting.length === 0 ? (
          <p className={classes.nothing}>{t('waiting.empty')}</p>
        ) : (
          <WaitingList
            isCompact
            waiting={today.waiting.slice(0, maxima.waiting)}
            headingId={`${id}-waiting`}
            newIds={newIds}
            {...decide}
          />
        )}
        {more(maxima.waiting, today.waitingTotal, t('waiting.showAll', { total: number(today.waitingTotal) }))}
      </Section>
      <Section id={`${id}-free`} part="free" level={3} title={t('free.title')}>
        {today.sites.length === 0 ? (
          <p className={classes.nothing}>{t('free.noSites')}</p>
        ) : (
          <FreeNow isCompact sites={today.sites.slice(0, maxima.sites)} headingId={`${id}-free`} />
        )}
        {more(maxima.sites, today.sitesTotal, t('free.showAll', { total: number(today.sitesTotal) }))}
      </Section>
    </SummaryFrame>
  );
}

function TodayLink({ text }: { text: string }) {
  return (
    <Anchor renderRoot={(props) => <Link to="/today" {...props} />} data-touch>
      {text}
    </Anchor>
  );
}
