import { useToday } from '@/features/today/api/today-query';
import { TodaySummaryView } from '@/features/today/components/today-summary-view';
import { useTodayDecisions } from './use-today-decisions';

/** The summary of Today with the two decisions. */
export function TodaySummaryContent() {
  const query = useToday();
  const { dialogs, ...decisions } = useTodayDecisions(query.data?.waiting);
  return (
    <>
      <TodaySummaryView query={query} {...decisions} />
      {dialogs}
    </>
  );
}
