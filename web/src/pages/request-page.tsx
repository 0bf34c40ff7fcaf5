import { useSuspenseQuery } from '@tanstack/react-query';
import { useLiveGuest } from '@/features/guests/api/use-live-guest';
import { RequestView } from '@/features/reservations/components/request-view';
import { usePublicSettings } from '@/features/shell/api/public-settings';
import { siteQuery } from '@/features/sites/api/site-query';

/** The page where a guest gets a bed: the first one, or another (spec B section 2, Reservation request page). */
export function RequestPage({ guestId }: { guestId: string }) {
  const guest = useLiveGuest(guestId);
  const { data: site } = useSuspenseQuery(siteQuery(guest.siteId));
  return (
    <RequestView key={guestId} guest={guest} site={site} supportPhone={usePublicSettings()?.supportPhone ?? null} />
  );
}
