import { CatchBoundary } from '@tanstack/react-router';
import { lazyNamed } from '@/components/lazy-named';
import { type SummarySize, SummarySkeleton } from '@/features/today/ui/summary-frame';

export interface TodaySummaryProps {
  /** What the screen knows of its size; see `SummaryFrame`. */
  expected?: SummarySize;
}

/** Comes after the screen that it stands on. */
const SummaryLater = lazyNamed(() => import('./today-summary-content'), 'TodaySummaryContent', {
  texts: ['today', 'reservations', 'guests', 'catalog'],
  fallback: ({ expected }: TodaySummaryProps) => <SummarySkeleton expected={expected} />,
  optional: true,
});

/** The main part of Today above what a screen is about. Whatever fails in it, the screen stays. */
export function TodaySummary(props: TodaySummaryProps) {
  return (
    <CatchBoundary getResetKey={() => 'today'} errorComponent={Nothing}>
      <SummaryLater {...props} />
    </CatchBoundary>
  );
}

function Nothing() {
  return null;
}
