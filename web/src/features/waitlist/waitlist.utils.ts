import type { Schemas } from '@/api/client';
import { bedState } from '@/features/houses/ui/bed-tile.utils';
import { isVacant } from '@/features/houses/ui/beds.utils';
import { misfitsOf, type PlacementRules } from '@/features/houses/ui/meant-for.utils';

/** How long a person has waited, in the largest whole unit. */
export interface Waited {
  unit: 'minutes' | 'hours' | 'days';
  count: number;
}

/** Returns how long a person has waited, at least 0 minutes. Both times in milliseconds since the epoch. */
export function waitedFor(since: number, now: number): Waited {
  const minutes = Math.max(0, Math.floor((now - since) / 60_000));
  if (minutes < 60) return { unit: 'minutes', count: minutes };
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? { unit: 'hours', count: hours } : { unit: 'days', count: Math.floor(hours / 24) };
}

/**
 * Returns the rows to show: those of `now`, but each whose change is open stays as it was and where it was, so that no other
 * row takes its place under the pointer.
 */
export function keepOpen<Row extends { id: string }>(
  before: readonly Row[],
  now: readonly Row[],
  isOpen: (id: string) => boolean,
): readonly Row[] {
  const kept = before.map((row, index) => ({ row, index })).filter(({ row }) => isOpen(row.id));
  if (kept.length === 0) return now;
  const rows = now.filter(({ id }) => !kept.some(({ row }) => row.id === id));
  for (const { row, index } of kept) rows.splice(index, 0, row);
  return rows;
}

/**
 * Why no vacant bed is offered to a person: none has the type, those that fit are on offer to others, or the placement rules,
 * with the ids of what does not fit.
 */
export type NotOffered =
  | { by: 'type'; type: Schemas['BedType'] }
  | { by: 'offers' }
  | { by: 'rules'; misfits: readonly string[] };

/**
 * Returns why no vacant bed is offered to a person, as far as the screen knows it: null if none is vacant, or if one fits. The list
 * does not say which type of client a person is, nor which beds they let pass.
 */
export function whyNotOffered(
  person: Pick<Schemas['WaitingGuest'], 'bedType' | 'gender' | 'age'>,
  rooms: readonly Schemas['Room'][],
  rules: PlacementRules,
): NotOffered | null {
  const vacant = rooms.flatMap((room) =>
    room.beds.filter((bed) => bedState(bed) === 'vacant').map((bed) => ({ bed, room })),
  );
  if (vacant.length === 0) return null;
  const { bedType } = person;
  const ofType = vacant.filter(({ bed }) => bedType === null || bed.type === bedType);
  if (ofType.length === 0) return bedType && { by: 'type', type: bedType };
  const misfits = ofType.map(({ room }) => misfitsOf(room, person, rules));
  // A site that only warns offers its beds all the same.
  const fitting = ofType.filter((_, index) => rules.breach === 'warned' || misfits[index]?.length === 0);
  if (fitting.length === 0) return { by: 'rules', misfits: [...new Set(misfits.flat())] };
  return fitting.some(({ bed }) => isVacant(bed)) ? null : { by: 'offers' };
}
