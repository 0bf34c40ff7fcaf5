import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { focusScreen } from '@/components/dialog/return-focus';
import { ErrorState } from '@/components/error-state';
import { PageHeader } from '@/components/page-header';
import { TodaySkeleton } from '@/components/page-skeletons';
import { useChangeSearch } from '@/components/use-change-search';
import type { TodayFilters } from '@/features/today/api/today-query';
import { useNewWaiting, useToday } from '@/features/today/api/use-today';
import { TodayFilterBar } from '@/features/today/components/today-filters';
import { TodayView } from '@/features/today/components/today-view';
import { hasFilters } from '@/features/today/today.utils';
import { useUnknownFilters } from '@/features/today/use-unknown-filters';
import { useTodayDecisions } from './use-today-decisions';

const NONE: TodayFilters = { siteId: undefined, service: undefined, payer: undefined };

/** The shift: what waits, what is free, what happened and what comes, over all sites of the user. */
export function TodayPage({ search }: { search: TodayFilters }) {
  const { t } = useTranslation('today');
  const change = useChangeSearch<'/today'>();
  const query = useToday(search);
  const { data: today, error, refetch } = query;
  const newIds = useNewWaiting(query, search);
  const unknown = useUnknownFilters(search, error);
  useEffect(() => {
    const none = Object.fromEntries(unknown.map((name) => [name, undefined]));
    if (unknown.length > 0) change(none, { replace: true });
  });
  const { dialogs, ...decisions } = useTodayDecisions(today);
  const clear = () => {
    change(NONE, { replace: true });
    // The button goes with the filters.
    focusScreen();
  };
  return (
    <>
      <PageHeader title={t('title')} />
      <TodayFilterBar filters={search} onChange={(changes) => change(changes, { replace: true })} onClear={clear} />
      {today ? (
        <TodayView today={today} newIds={newIds} onClear={hasFilters(search) ? clear : undefined} {...decisions} />
      ) : error && unknown.length === 0 ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <TodaySkeleton />
      )}
      {dialogs}
    </>
  );
}
