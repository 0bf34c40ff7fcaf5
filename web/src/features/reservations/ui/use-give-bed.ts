import type { Schemas } from '@/api/client';
import { fullName } from '@/features/guests/ui/guest-facts.utils';
import { toast } from '@/components/toast';
import { guestCommands, type OpenCommand } from '@/features/guests/api/guest-commands';
import { useOpenCommand } from '@/features/guests/api/open-commands';
import { useUpdateGuest } from '@/features/guests/api/update-guest';
import { useUndoDecision } from '@/features/guests/api/use-undo-decision';
import { usePlacedText } from '@/features/guests/ui/use-placed-text';
import { findBed, type PlacedBed } from '@/features/houses/ui/beds.utils';
import { isRefused } from '@/features/houses/ui/meant-for.utils';
import { usePlacementRules } from '@/features/houses/ui/use-placement-rules';
import { useUndoMove } from './use-undo-move';

/** Gives a guest a bed: the first one, or another. */
export interface GiveBed {
  /** Sends the command. Does nothing while an earlier one about the guest has no outcome. */
  give: (chosen: PlacedBed, outcome: { onPlaced: () => void; onRefused?: (error: Error) => void }) => void;
  update: ReturnType<typeof useUpdateGuest>;
  /** The command about the guest whose outcome is not known yet. */
  open: OpenCommand | undefined;
}

/** Accepts or reassigns a guest, and says so; both can be taken back from the message. */
export function useGiveBed(
  kind: 'accept' | 'reassign',
  guest: Schemas['Guest'],
  site: Schemas['SiteDetails'],
): GiveBed {
  const update = useUpdateGuest();
  const rules = usePlacementRules(site);
  const open = useOpenCommand(guest.id);
  const undoMove = useUndoMove();
  const placedText = usePlacedText();
  const { undo: undoAccept } = useUndoDecision();

  const give: GiveBed['give'] = (chosen, { onPlaced, onRefused }) => {
    // Also between two clicks of which the second comes before the next drawing.
    if (guestCommands.isOpen(guest.id)) return;
    const before = findBed(site.rooms, guest.assignedBedId);
    // A guest may have a bed that is not for them, and this user cannot bring them back there.
    const mayReturn = before && !isRefused(before.room, guest, rules);
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
          const about = `guest:${placed.id}`;
          if (kind === 'accept') {
            const undo = { onUndo: () => undoAccept(placed, fullName(placed)) };
            toast.success(placedText(placed), { about, undo });
          } else
            toast.success(
              placedText(placed),
              mayReturn
                ? {
                    about,
                    undo: {
                      onUndo: () =>
                        undoMove(placed, {
                          bedId: before.bed.id,
                          roomName: before.room.name,
                          bedName: before.bed.name,
                        }),
                    },
                  }
                : { about },
            );
          onPlaced();
        },
        onError: onRefused,
      },
    );
  };

  return { give, update, open };
}
