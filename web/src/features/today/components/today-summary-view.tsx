import { Anchor } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/components/error-state';
import { smallerThan } from '@/lib/breakpoints';
import { formatNumber } from '@/lib/format';
import type { useToday } from '../api/today-query';
import { SummaryFrame, SummarySkeleton } from '../ui/summary-frame';
import { FreeNow } from './free-now';
import { Section } from './section';
import classes from './today.module.css';
import { type Decide, type FocusRequest, WaitingList } from './waiting-list';

/** Rows of the waiting list and lines of sites. The frame has room for as many. */
const MAXIMA = { waiting: 5, sites: 6 };
const PHONE_MAXIMA = { waiting: 3, sites: 3 };

interface TodaySummaryViewProps extends Decide {
  query: ReturnType<typeof useToday>;
  focus: FocusRequest | null;
}

/** The main part of Today, above what a screen is about: at most five reservations, and one line a site. */
export function TodaySummaryView({ query, focus, ...decide }: TodaySummaryViewProps) {
  const { t, i18n } = useTranslation('today');
  const id = useId();
  const isNarrow = useMediaQuery(smallerThan('narrow'), undefined, { getInitialValueInEffect: false });
  const maxima = isNarrow ? PHONE_MAXIMA : MAXIMA;
  const { data: today, error, refetch } = query;
  if (!today) {
    return error ? (
      <SummaryFrame>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </SummaryFrame>
    ) : (
      <SummarySkeleton />
    );
  }
  const number = (value: number) => formatNumber(value, i18n.language);
  const more = (shown: number, total: number, text: string) => (total > shown ? <TodayLink text={text} /> : null);
  return (
    <SummaryFrame labelledBy={id}>
      <div className={classes.summaryHead}>
        <h2 id={id} className={classes.heading}>
          {t('title')}
        </h2>
        <TodayLink text={t('open')} />
      </div>
      <Section id={`${id}-waiting`} part="waiting" level={3} title={t('waiting.title', { count: today.waitingTotal })}>
        {today.waiting.length === 0 ? (
          <p className={classes.nothing}>{t('waiting.empty')}</p>
        ) : (
          <WaitingList
            isCompact
            waiting={today.waiting.slice(0, maxima.waiting)}
            headingId={`${id}-waiting`}
            focus={focus}
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
    <Anchor renderRoot={(props) => <Link to="/today" {...props} />} className={classes.more} data-touch>
      {text}
    </Anchor>
  );
}
