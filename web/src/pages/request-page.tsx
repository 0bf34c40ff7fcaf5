import { useSuspenseQuery } from '@tanstack/react-query';
import { GuestPageSkeleton } from '@/components/page-skeletons';
import { useOnceCurrent } from '@/components/use-once-current';
import { useLiveGuest } from '@/features/guests/api/use-live-guest';
import { RequestView } from '@/features/reservations/components/request-view';
import { usePublicSettings } from '@/features/shell/api/public-settings';
import { siteQuery } from '@/features/sites/api/site-query';

/** The page where a guest gets a bed: the first one, or another (spec B section 2, Reservation request page). */
export function RequestPage({ guestId, bedId }: { guestId: string; bedId?: string | undefined }) {
  const guest = useLiveGuest(guestId);
  const query = useSuspenseQuery(siteQuery(guest.siteId));
  const supportPhone = usePublicSettings()?.supportPhone ?? null;
  // The page proposes a bed, once: not one that was vacant when another screen last showed the site.
  if (!useOnceCurrent(query)) return <GuestPageSkeleton />;
  return <RequestView key={guestId} guest={guest} site={query.data} bedId={bedId} supportPhone={supportPhone} />;
}
