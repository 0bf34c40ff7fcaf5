import { useNewWaiting, useToday } from '@/features/today/api/use-today';
import { TodaySummaryView } from '@/features/today/components/today-summary-view';
import type { TodaySummaryProps } from './today-summary';
import { useTodayDecisions } from './use-today-decisions';

/** The summary of Today with the two decisions. */
export function TodaySummaryContent({ expected }: TodaySummaryProps) {
  const query = useToday();
  const newIds = useNewWaiting(query);
  const { dialogs, ...decisions } = useTodayDecisions(query.data);
  return (
    <>
      <TodaySummaryView query={query} newIds={newIds} expected={expected} {...decisions} />
      {dialogs}
    </>
  );
}
