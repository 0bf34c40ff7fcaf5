import { CatchBoundary } from '@tanstack/react-router';
import { lazyNamed } from '@/components/lazy-named';
import { SummarySkeleton } from '@/features/today/ui/summary-frame';

/** Comes after the screen that it stands on. */
const SummaryLater = lazyNamed(() => import('./today-summary-content'), 'TodaySummaryContent', {
  texts: ['today', 'reservations', 'guests', 'catalog'],
  fallback: <SummarySkeleton />,
  optional: true,
});

/** The main part of Today above what a screen is about. Whatever fails in it, the screen stays. */
export function TodaySummary() {
  return (
    <CatchBoundary getResetKey={() => 'today'} errorComponent={Nothing}>
      <SummaryLater />
    </CatchBoundary>
  );
}

function Nothing() {
  return null;
}
