import { Activity, type ReactNode, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useTableLook } from '@/components/data-table/use-table-look';
import { ErrorState } from '@/components/error-state';
import { lazyDialog } from '@/components/lazy-named';
import { TableSkeleton } from '@/components/skeletons';
import { toast } from '@/components/toast';
import type { ChangeSearch } from '@/components/use-change-search';
import { useLoadAhead } from '@/components/use-load-ahead';
import { guestCommands } from '@/features/guests/api/guest-commands';
import { useArrive } from '@/features/guests/api/use-arrive';
import { useSiteGuests } from '@/features/guests/api/use-site-guests';
import { GuestsTable } from '@/features/guests/components/guests-table';
import { ReservationsTable } from '@/features/reservations/components/reservations-table';
import { useIsBoardOpen } from './site-overlays';
import { usePlaceGuest } from '@/features/guests/ui/use-place-guest';
import type { SiteSearch } from './use-site-search';

type Guest = Schemas['Guest'];

const loadReservationDialog = () => import('@/features/reservations/components/reservation-dialog');
const ReservationDialog = lazyDialog(loadReservationDialog, 'ReservationDialog');
const loadDecisionDialog = () => import('@/features/guests/components/decision-dialog');
const DecisionDialog = lazyDialog(loadDecisionDialog, 'DecisionDialog');

const loadDialogs = () => Promise.all([loadReservationDialog(), loadDecisionDialog()]);

interface GuestTabProps {
  site: Schemas['SiteDetails'];
  search: SiteSearch;
  onSearch: ChangeSearch<SiteSearch>;
}

/** The tab of reservations with its details and the two decisions. */
export function ReservationsTab({ site, search, onSearch, action }: GuestTabProps & { action?: ReactNode }) {
  const [declined, setDeclined] = useState<Guest | null>(null);
  /** The one that is being declined here: it leaves the list before its details have closed. */
  const [ownId, setOwnId] = useState<string>();
  const decline = useCallback((guest: Guest) => {
    setDeclined(guest);
    setOwnId(guest.id);
  }, []);
  const closeQuestion = () => {
    // What was sent is still our own.
    if (declined && !guestCommands.isOpen(declined.id)) setOwnId(undefined);
    setDeclined(null);
  };
  const placeGuest = usePlaceGuest();
  const [look, changeTable] = useTableLook('reservations', search);
  const { guests, placeholder } = useGuests(site.id);
  useLoadAhead(loadDialogs);
  const open = useCallback((guest: Guest) => onSearch({ reservation: guest.id }), [onSearch]);
  if (!guests) return placeholder;
  const close = () => onSearch({ reservation: undefined }, { replace: true });
  const opened = guests.find(({ id }) => id === search.reservation);
  return (
    <>
      <ReservationsTable
        site={site}
        guests={guests}
        state={{ ...search, ...look }}
        onStateChange={(next) => changeTable(next, (table) => onSearch(table, { replace: true }))}
        onOpen={open}
        onAccept={placeGuest}
        onDecline={decline}
        action={action}
      />
      <ReservationDialog
        subject={opened}
        site={site}
        onClose={close}
        onAccept={(guest) => placeGuest(guest, { replace: true })}
        onDecline={decline}
      />
      <LostReservation
        isLost={search.reservation !== undefined && opened === undefined}
        isOwn={search.reservation === ownId}
        onLost={close}
      />
      <DecisionDialog
        subject={declined}
        kind="decline"
        onClose={closeQuestion}
        onDone={() => {
          setOwnId(declined?.id);
          if (search.reservation) close();
        }}
      />
    </>
  );
}

/** The tab of guests in beds; moving them on the board is opened by the address. */
export function GuestsTab({ site, search, onSearch }: GuestTabProps) {
  const [discharged, setDischarged] = useState<Guest | null>(null);
  const [absent, setAbsent] = useState<Guest | null>(null);
  const arrive = useArrive();
  useLoadAhead(loadDialogs);
  const placeGuest = usePlaceGuest();
  const [look, changeTable] = useTableLook('guests', search);
  const { guests, placeholder } = useGuests(site.id);
  const isBehind = useBornBehind(useIsBoardOpen(site, search));
  if (!guests) return placeholder;
  return (
    <>
      <Activity mode={isBehind ? 'hidden' : 'visible'}>
        <GuestsTable
          site={site}
          guests={guests}
          state={{ ...search, ...look, sort: search.sort ?? 'guest' }}
          onStateChange={(next) => changeTable(next, (table) => onSearch(table, { replace: true }))}
          onReassign={placeGuest}
          onDischarge={setDischarged}
          onArrived={arrive}
          onNoShow={setAbsent}
          onMoveGuests={() => onSearch({ open: 'board' })}
        />
      </Activity>
      <DecisionDialog subject={discharged} kind="discharge" onClose={() => setDischarged(null)} />
      <DecisionDialog subject={absent} kind="noShow" onClose={() => setAbsent(null)} />
    </>
  );
}

/**
 * Whether the page was opened with the board in front of it, and the board still is. What it covers is then drawn in idle
 * moments, so that a large site's board need not wait for it. A table that was seen once stays: it keeps its scrolling.
 */
function useBornBehind(isCovered: boolean): boolean {
  const [isBehind, setIsBehind] = useState(isCovered);
  if (isBehind && !isCovered) setIsBehind(false);
  return isBehind && isCovered;
}

/** The guests once they are there, and what stands in their place until then. */
function useGuests(siteId: string): { guests?: readonly Guest[]; placeholder: ReactNode } {
  const { data: guests, error, refetch } = useSiteGuests(siteId);
  const placeholder = error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TableSkeleton />;
  return { guests, placeholder };
}

interface LostReservationProps {
  isLost: boolean;
  /** It was declined here, which another message says. */
  isOwn: boolean;
  onLost: () => void;
}

/** Says that the reservation an address or an open dialog shows is no longer there, and leaves that address. */
function LostReservation({ isLost, isOwn, onLost }: LostReservationProps) {
  const { t } = useTranslation('reservations');
  useEffect(() => {
    if (!isLost) return;
    if (!isOwn) toast.error(t('gone'));
    onLost();
    // Once for each loss; the callbacks are new at every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isLost]);
  return null;
}
