import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { fullName } from '@/components/guest-facts/guest-facts.utils';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useUpdateGuest } from '@/features/guests/api/update-guest';
import { findBed, isFree, nextFreeBed, type PlacedBed, placementOf } from '../placement.utils';

/** A bed to offer: the server's word after a 409, else the nearest free one as the page knows it. */
export interface BedOffer {
  bedId: string;
  bedName: string;
  roomName: string;
}

/** The choice of a bed for a guest, and what came of it. */
export interface PlacementModel {
  kind: 'accept' | 'reassign';
  chosen: PlacedBed | undefined;
  /** The chosen bed that was taken or switched off while the page was open. */
  lost: PlacedBed | undefined;
  offer: BedOffer | undefined;
  error: Error | null;
  isBusy: boolean;
  choose: (bedId: string) => void;
  confirm: () => void;
}

/** Runs the request page: choose, confirm, tell what happened, go back to where the user came from. */
export function usePlacement(guest: Schemas['Guest'], site: Schemas['SiteDetails']): PlacementModel {
  const { t } = useTranslation(['reservations', 'guests']);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const update = useUpdateGuest();
  const kind = placementOf(guest.status) === 'reassign' ? 'reassign' : 'accept';
  const leave = useLeave(site.id, kind);
  const undo = useUndo(guest, site);
  const found = findBed(site.rooms, chosenId);
  const chosen = found && isFree(found.bed) ? found : undefined;
  // During the call the bed becomes the guest's own: that is not a loss.
  const lost = found && !chosen && !update.isPending && !update.isSuccess ? found : undefined;

  const choose = (bedId: string) => {
    update.reset();
    setChosenId(bedId);
  };
  const confirm = () => {
    if (!chosen || update.isPending) return;
    const place = t('guests:place', { room: chosen.room.name, bed: chosen.bed.name });
    const before = findBed(site.rooms, guest.assignedBedId);
    update.mutate(
      {
        guestId: guest.id,
        siteId: site.id,
        status: kind === 'accept' ? 'ACCEPTED' : 'REASSIGNED',
        bedId: chosen.bed.id,
        version: guest.version,
      },
      {
        onSuccess: (placed) => {
          const names = { guest: fullName(placed), place };
          const about = `guest:${placed.id}`;
          if (kind === 'accept') toast.success(t('request.accepted', names), { about });
          else
            toast.success(
              t('request.reassigned', names),
              before ? { about, undo: { onUndo: undo(placed, before) } } : { about },
            );
          leave();
        },
      },
    );
  };

  return {
    kind,
    chosen,
    lost,
    offer: offerOf(update.error, site, lost),
    error: update.error,
    isBusy: update.isPending,
    choose,
    confirm,
  };
}

function offerOf(error: Error | null, site: Schemas['SiteDetails'], lost: PlacedBed | undefined): BedOffer | undefined {
  const named = error instanceof ConflictError ? error.problem.nextFreeBed : undefined;
  if (named) return named;
  const free = lost ? nextFreeBed(site.rooms, lost.bed.id) : undefined;
  return free ? { bedId: free.bed.id, bedName: free.bed.name, roomName: free.room.name } : undefined;
}

/** Back to the screen the user came from; opened by its address, the page leads to the list that the guest was on. */
function useLeave(siteId: string, kind: PlacementModel['kind']): () => void {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  return () => {
    if (canGoBack) router.history.back();
    else
      void navigate({
        to: '/reservations/$siteId',
        params: { siteId },
        search: { tab: kind === 'accept' ? 'reservations' : 'guests' },
      });
  };
}

/** Takes a move back: the guest returns to the former bed, if it is still free. */
function useUndo(guest: Schemas['Guest'], site: Schemas['SiteDetails']) {
  const { t } = useTranslation(['reservations', 'guests']);
  const errorText = useErrorText();
  // Its own mutation: the page is gone when the message's button is pressed.
  const { mutateAsync } = useUpdateGuest();
  return (placed: Schemas['Guest'], before: PlacedBed) => () => {
    const place = t('guests:place', { room: before.room.name, bed: before.bed.name });
    mutateAsync({
      guestId: guest.id,
      siteId: site.id,
      status: 'REASSIGNED',
      bedId: before.bed.id,
      version: placed.version,
    }).then(
      () => toast.success(t('request.undone', { guest: fullName(placed), place })),
      (error: Error) => toast.error(errorText(error)),
    );
  };
}
