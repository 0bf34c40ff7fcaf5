import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Dialog } from '@/components/dialog/dialog';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { useOnceCurrent } from '@/components/use-once-current';
import { useLiveGuest } from '@/features/guests/api/use-live-guest';
import { siteQuery } from '@/features/sites/api/site-query';
import { smallerThan } from '@/lib/breakpoints';
import { placementOf } from '../ui/placement.utils';
import { RequestEnded } from './request-ended';
import { ChooseBed } from './request-view';

interface AcceptDialogProps {
  /** The reservation, which `guestQuery` must know; none while nothing is asked. */
  subject: Schemas['Guest'] | null;
  supportPhone: string | null;
  onClose: () => void;
  /** After the guest has got a bed. */
  onPlaced: () => void;
}

/** Gives a reservation a bed over the screen that shows it: what the page of the request does, in place. */
export function AcceptDialog({ subject, onClose, ...props }: AcceptDialogProps) {
  const { t } = useTranslation('reservations');
  const isNarrow = useMediaQuery(smallerThan('narrow'), undefined, { getInitialValueInEffect: false });
  return (
    <Dialog
      subject={subject}
      width={800}
      fullScreen={isNarrow}
      title={(guest) => t('request.acceptGuest', { guest: guest.displayName, site: guest.siteName })}
      onClose={onClose}
    >
      {({ id }) => (
        <Suspense fallback={<TableSkeleton rows={4} />}>
          <Placement guestId={id} {...props} />
        </Suspense>
      )}
    </Dialog>
  );
}

function Placement({
  guestId,
  supportPhone,
  onPlaced,
}: Omit<AcceptDialogProps, 'subject' | 'onClose'> & { guestId: string }) {
  const guest = useLiveGuest(guestId);
  const query = useQuery(siteQuery(guest.siteId));
  const { data: site, error, refetch } = query;
  // Who decides over a list fills bed after bed: the next one is proposed among those that are vacant by now.
  const isCurrent = useOnceCurrent(query);
  const [isMove, setIsMove] = useState(false);
  // Somebody took the acceptance back: it is a reservation again.
  if (isMove && guest.status === 'pending') setIsMove(false);
  if (!site) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TableSkeleton rows={4} />;
  if (!isCurrent) return <TableSkeleton rows={4} />;
  if (isMove && placementOf(guest.status) === 'ended') return <RequestEnded guest={guest} site={site} />;
  const purpose = isMove ? 'reassign' : 'accept';
  return (
    <ChooseBed
      key={purpose}
      purpose={purpose}
      guest={guest}
      site={site}
      supportPhone={supportPhone}
      onMove={() => setIsMove(true)}
      onPlaced={onPlaced}
    />
  );
}
