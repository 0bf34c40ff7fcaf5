import { lazyDialog } from '@/components/lazy-named';
import { usePlacementQuestion } from '@/features/guests/api/placement-reasons';

/** Only strict sites ask, and seldom. */
const PlacementReasonDialog = lazyDialog(
  () => import('@/features/guests/components/placement-reason-dialog'),
  'PlacementReasonDialog',
  { texts: ['guests'] },
);

/**
 * Asks for the reason of a placement against the rules, wherever it was asked for. Each question is drawn anew, so that it
 * is in front of a dialog that was opened before.
 */
export function PlacementReason() {
  const question = usePlacementQuestion();
  return <PlacementReasonDialog key={question?.number} subject={question} />;
}
