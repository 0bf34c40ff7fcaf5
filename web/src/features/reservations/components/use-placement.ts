import { useQueryClient } from '@tanstack/react-query';
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '@/api/client';
import { ConflictError, PaymentRequiredError } from '@/api/errors';
import { siteStatusQuery } from '@/features/billing/api/subscriptions';
import { type CommandState, guestCommands } from '@/features/guests/api/guest-commands';
import { findBed, isVacant, nextFreeBed, type PlacedBed } from '@/features/houses/ui/beds.utils';
import { bestBed } from '../ui/bed-fit.utils';
import { useGiveBed } from '../ui/use-give-bed';

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
  /** The name of the bed that the last command asked for. */
  askedBed: string | undefined;
  offer: BedOffer | undefined;
  error: Error | null;
  /** When the command was sent that `error` answers, in epoch milliseconds. */
  sentAt: number;
  /** How far the command has got whose outcome is not known yet. */
  waiting: CommandState | undefined;
  /** Whether the guest's state comes, or may come, from this page. */
  isOwnDoing: boolean;
  choose: (bedId: string) => void;
  confirm: () => void;
}

/**
 * Runs the choice of a bed: choose, confirm, tell what happened. Then `onPlaced`, or back to the screen that the user came
 * from.
 */
export function usePlacement(
  kind: 'accept' | 'reassign',
  guest: Schemas['Guest'],
  site: Schemas['SiteDetails'],
  { bedId: givenBedId, onPlaced }: { bedId?: string | undefined; onPlaced?: (() => void) | undefined } = {},
): PlacementModel {
  const { give, update, open } = useGiveBed(kind, guest, site);
  // The bed that fits best is proposed, once: what somebody else does later never changes what the button is about to do.
  // Why a guest moves is not known here, so nothing is proposed for a move.
  const [chosenId, setChosenId] = useState<string | null>(
    () => open?.update?.bedId ?? (kind === 'accept' ? proposedBed(site, guest, givenBedId) : null),
  );
  const leave = useLeave(site.id, kind);
  const queryClient = useQueryClient();
  const found = findBed(site.rooms, chosenId);
  const isBusy = open !== undefined || update.isPending;
  const isOwn = found?.bed.guest?.id === guest.id;
  const chosen = found && (isVacant(found.bed) || (isBusy && isOwn)) ? found : undefined;
  // During the call the bed becomes the guest's own: that is not a loss.
  const lost = found && !chosen && !isBusy && !update.isSuccess ? found : undefined;

  const choose = (bedId: string) => {
    if (guestCommands.isOpen(guest.id)) return;
    update.reset();
    setChosenId(bedId);
  };
  const confirm = () => {
    // Done already: the screen is about to go, and nobody has changed the guest since.
    const isDone = update.isSuccess && update.data.version >= guest.version;
    if (!chosen || isDone) return;
    give(chosen, {
      onPlaced: onPlaced ?? leave,
      // Whoever was faster changed what the choice was made on: it is made anew.
      onRefused: (error) => {
        if (error instanceof ConflictError) setChosenId(null);
        // The bed stays chosen: the same accept goes through once the subscription is active.
        if (error instanceof PaymentRequiredError) void queryClient.invalidateQueries(siteStatusQuery(site.id));
      },
    });
  };

  return {
    kind,
    chosen,
    lost,
    askedBed: findBed(site.rooms, update.variables?.bedId ?? null)?.bed.name,
    offer: offerOf(update.error, site, lost),
    error: update.error,
    sentAt: update.submittedAt,
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

/** The id of the bed to propose: the one that was asked for, if it is vacant, else the one that fits best. */
function proposedBed(site: Schemas['SiteDetails'], guest: Schemas['Guest'], bedId: string | undefined): string | null {
  const asked = bedId === undefined ? undefined : findBed(site.rooms, bedId);
  return (asked && isVacant(asked.bed) ? asked : bestBed(site.rooms, guest))?.bed.id ?? null;
}
