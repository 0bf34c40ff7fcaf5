import type { Schemas } from '@/api/client';

type Bed = Schemas['Bed'];

/** The three states of a bed (spec B, section 4). */
export type BedState = 'vacant' | 'occupied' | 'disabled';

/**
 * A state of a bed as screens name it: an occupied bed may be reserved for a guest who has not come yet, a vacant one offered to
 * a person on the waitlist.
 */
export type ShownBedState = BedState | 'arriving' | 'offered';

/** Why what a tile shows is not certain: the move was not sent, or not confirmed by the server. */
export type BedWaiting = 'unsent' | 'unknown';

export function bedState(bed: Pick<Bed, 'disabled' | 'guest'>): BedState {
  if (bed.guest) return 'occupied';
  return bed.disabled ? 'disabled' : 'vacant';
}

export function shownBedState(bed: Pick<Bed, 'disabled' | 'guest' | 'offeredUntil'>): ShownBedState {
  if (bed.guest?.isArriving) return 'arriving';
  const state = bedState(bed);
  return state === 'vacant' && bed.offeredUntil !== null ? 'offered' : state;
}

/** The words of the button that enables a bed: one that was being cleaned is ready. */
export function enableLabelKey({ disabledKind }: Pick<Bed, 'disabledKind'>): 'bedMenu.ready' | 'bedMenu.enable' {
  return disabledKind === 'cleaning' ? 'bedMenu.ready' : 'bedMenu.enable';
}

/** The key of a bed type below `houses:type`. */
export function bedTypeKey(type: Bed['type']): 'detox' | 'treatment' | 'sober-living' {
  switch (type) {
    case 'Detox':
      return 'detox';
    case 'Treatment':
      return 'treatment';
    case 'Sober Living':
      return 'sober-living';
  }
}

/** The words of a bed's name, and the number at its end with the space before it: `Sober Living` and ` #12`. */
export function splitBedName(name: string): { words: string; number: string } {
  const number = /\s#?\d{1,6}$/.exec(name)?.[0] ?? '';
  return { words: name.slice(0, name.length - number.length), number };
}
