import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLiveGuest } from '@/features/guests/api/use-live-guest';
import { DecisionDialog, type DecisionKind } from '@/features/guests/components/decision-dialog';
import { GuestDetails } from '@/features/guests/components/guest-details';
import { siteQuery } from '@/features/sites/api/site-query';
import { usePlaceGuest } from '@/features/guests/ui/use-place-guest';

interface GuestPageProps {
  siteId: string;
  guestId: string;
}

/** The page of one guest, fresh while others decide about the same guest. */
export function GuestPage({ siteId, guestId }: GuestPageProps) {
  const { data: site } = useSuspenseQuery(siteQuery(siteId));
  const guest = useLiveGuest(guestId);
  const placeGuest = usePlaceGuest();
  const [decision, setDecision] = useState<DecisionKind | null>(null);
  return (
    <>
      <GuestDetails
        guest={guest}
        site={site}
        onPlace={() => placeGuest(guest)}
        onDecline={() => setDecision('decline')}
        onDischarge={() => setDecision('discharge')}
        onNoShow={() => setDecision('noShow')}
      />
      <DecisionDialog
        subject={decision === 'decline' ? guest : null}
        kind="decline"
        onClose={() => setDecision(null)}
      />
      <DecisionDialog
        subject={decision === 'discharge' ? guest : null}
        kind="discharge"
        onClose={() => setDecision(null)}
      />
      <DecisionDialog subject={decision === 'noShow' ? guest : null} kind="noShow" onClose={() => setDecision(null)} />
    </>
  );
}
