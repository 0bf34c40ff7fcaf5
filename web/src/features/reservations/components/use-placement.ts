import { useQueryClient } from '@tanstack/react-query';
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '@/api/client';
import { ConflictError, PaymentRequiredError } from '@/api/errors';
import { siteStatusQuery } from '@/features/billing/api/site-status';
import { type CommandState, guestCommands } from '@/features/guests/api/guest-commands';
import { isAgainstRules, isReasonMissing } from '@/features/guests/api/placement-reasons';
import { findBed, isVacant, type PlacedBed } from '@/features/houses/ui/beds.utils';
import { isRefused, type PlacementRules } from '@/features/houses/ui/meant-for.utils';
import { type BedOffer, offerOf, proposedBed } from '../proposal.utils';
import { useGiveBed } from '../ui/use-give-bed';

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
  /** Null: none any more. */
  choose: (bedId: string | null) => void;
  confirm: () => void;
}

interface PlacementOptions {
  rules: PlacementRules;
  /** The bed to propose, if the guest can have it. */
  bedId?: string | undefined;
  onPlaced?: (() => void) | undefined;
}

/**
 * Runs the choice of a bed: choose, confirm, tell what happened. Then `onPlaced`, or back to the screen that the user came
 * from.
 */
export function usePlacement(
  kind: 'accept' | 'reassign',
  guest: Schemas['Guest'],
  site: Schemas['SiteDetails'],
  { rules, bedId: givenBedId, onPlaced }: PlacementOptions,
): PlacementModel {
  const { give, update, open } = useGiveBed(kind, guest, site);
  const context = { rooms: site.rooms, guest, rules };
  // The bed that fits best is proposed, once: what somebody else does later never changes what the button is about to do.
  // Why a guest moves is not known here, so nothing is proposed for a move.
  const [chosenId, setChosenId] = useState<string | null>(
    () => open?.update?.bedId ?? (kind === 'accept' ? proposedBed(context, givenBedId) : null),
  );
  const leave = useLeave(site.id, kind);
  const queryClient = useQueryClient();
  const found = findBed(site.rooms, chosenId);
  const isBusy = open !== undefined || update.isPending;
  const isOwn = found?.bed.guest?.id === guest.id;
  const isFree = found !== undefined && isVacant(found.bed);
  // The rules may have changed since it was chosen.
  const mayHave = isFree && !isRefused(found.room, guest, rules);
  // During the call the bed becomes the guest's own: that is not a loss.
  const chosen = mayHave || (isBusy && (isFree || isOwn)) ? found : undefined;
  const lost = found && !isFree && !chosen && !isBusy && !update.isSuccess ? found : undefined;

  const choose = (bedId: string | null) => {
    if (guestCommands.isOpen(guest.id)) return;
    update.reset();
    setChosenId(bedId);
  };
  /** Without a reason the choice is as before; a bed that is not to be had makes way for the proposal. */
  const chooseAfter = (error: Error, refusedId: string) => {
    const proposed = proposedBed(context);
    if (!isReasonMissing(error)) setChosenId(proposed === refusedId ? null : proposed);
  };
  const confirm = () => {
    // Done already: the screen is about to go, and nobody has changed the guest since.
    const isDone = update.isSuccess && update.data.version >= guest.version;
    if (!chosen || isDone) return;
    give(chosen, {
      onPlaced: onPlaced ?? leave,
      // Whoever was faster changed what the choice was made on: it is made anew.
      onRefused: (error) => {
        if (isAgainstRules(error)) chooseAfter(error, chosen.bed.id);
        else if (error instanceof ConflictError) setChosenId(null);
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
    offer: offerOf(update.error, { lost, askedId: update.variables?.bedId }, context),
    error: update.error,
    sentAt: update.submittedAt,
    waiting: open?.state ?? (update.isPending ? 'sending' : undefined),
    isOwnDoing: isBusy || update.isSuccess,
    choose,
    confirm,
  };
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
