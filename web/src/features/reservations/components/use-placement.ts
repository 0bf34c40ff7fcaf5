import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { fullName } from '@/components/guest-facts/guest-facts.utils';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { type CommandState, guestCommands } from '@/features/guests/api/guest-commands';
import { useOpenCommand } from '@/features/guests/api/open-commands';
import { useUpdateGuest } from '@/features/guests/api/update-guest';
import { findBed, isFree, nextFreeBed, type PlacedBed } from '../placement.utils';

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
  /** How far the command has got whose outcome is not known yet. */
  waiting: CommandState | undefined;
  /** Whether the guest's state comes, or may come, from this page. */
  isOwnDoing: boolean;
  choose: (bedId: string) => void;
  confirm: () => void;
}

/** Runs the request page: choose, confirm, tell what happened, go back to where the user came from. */
export function usePlacement(
  kind: 'accept' | 'reassign',
  guest: Schemas['Guest'],
  site: Schemas['SiteDetails'],
): PlacementModel {
  const { t } = useTranslation(['reservations', 'guests']);
  const update = useUpdateGuest();
  const open = useOpenCommand(guest.id);
  const [chosenId, setChosenId] = useState<string | null>(open?.update?.bedId ?? null);
  const leave = useLeave(site.id, kind);
  const undo = useUndo(guest, site);
  const found = findBed(site.rooms, chosenId);
  const isBusy = open !== undefined || update.isPending;
  const isOwn = found?.bed.guest?.id === guest.id;
  const chosen = found && (isFree(found.bed) || (isBusy && isOwn)) ? found : undefined;
  // During the call the bed becomes the guest's own: that is not a loss.
  const lost = found && !chosen && !isBusy && !update.isSuccess ? found : undefined;

  const choose = (bedId: string) => {
    if (guestCommands.isOpen(guest.id)) return;
    update.reset();
    setChosenId(bedId);
  };
  const confirm = () => {
    // Also between two clicks of which the second comes before the next drawing.
    if (!chosen || guestCommands.isOpen(guest.id)) return;
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
        // Whoever was faster changed what the choice was made on: it is made anew.
        onError: (error) => {
          if (error instanceof ConflictError) setChosenId(null);
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
    waiting: open?.state ?? (update.isPending ? 'sending' : undefined),
    isOwnDoing: isBusy || update.isSuccess,
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
  // Its callbacks tell what came of it though the page is gone when the message's button is pressed.
  const { mutateAsync } = useUpdateGuest({ tellsWhenGone: false });
  return (placed: Schemas['Guest'], before: PlacedBed) => () => {
    const place = t('guests:place', { room: before.room.name, bed: before.bed.name });
    mutateAsync({
      guestId: guest.id,
      siteId: site.id,
      status: 'REASSIGNED',
      bedId: before.bed.id,
      version: placed.version,
    }).then(
      () => toast.success(t('request.undone', { guest: fullName(placed), place }), { about: `guest:${guest.id}` }),
      (error: Error) => toast.error(errorText(error), { about: `guest:${guest.id}` }),
    );
  };
}
