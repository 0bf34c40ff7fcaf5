import type { Bed, Board } from './types';

/** The keys that walk from bed to bed in Move mode. */
export const STEP_KEYS = [
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
] as const;
export type StepKey = (typeof STEP_KEYS)[number];

export function isStepKey(key: string): key is StepKey {
  return (STEP_KEYS as readonly string[]).includes(key);
}

/** Disabled beds keep their cell in the grid and are no stop. */
function isStop(bed: Bed | undefined): bed is Bed {
  return bed !== undefined && !bed.disabled;
}

/** The visual rows of the board: each house begins a new row. */
function rowsOf(board: Board, columns: number): Bed[][] {
  const width = Math.max(1, columns);
  return board.houses.flatMap((house) => {
    const rows: Bed[][] = [];
    for (let start = 0; start < house.beds.length; start += width) rows.push(house.beds.slice(start, start + width));
    return rows;
  });
}

function besides(board: Board, bedId: string, direction: 1 | -1): string {
  const beds = board.houses.flatMap((house) => house.beds);
  let index = beds.findIndex((bed) => bed.id === bedId) + direction;
  while (index >= 0 && index < beds.length) {
    const bed = beds[index];
    if (isStop(bed)) return bed.id;
    index += direction;
  }
  return bedId;
}

function aboveOrBelow(board: Board, bedId: string, direction: 1 | -1, columns: number): string {
  const rows = rowsOf(board, columns);
  const start = rows.findIndex((row) => row.some((bed) => bed.id === bedId));
  const column = rows[start]?.findIndex((bed) => bed.id === bedId) ?? 0;
  for (let index = start + direction; index >= 0 && index < rows.length; index += direction) {
    const bed = rows[index]?.[column];
    if (isStop(bed)) return bed.id;
  }
  return bedId;
}

function inOtherHouse(board: Board, houseIndex: number, direction: 1 | -1): string | undefined {
  for (let index = houseIndex + direction; index >= 0 && index < board.houses.length; index += direction) {
    const bed = board.houses[index]?.beds.find(isStop);
    if (bed) return bed.id;
  }
  return undefined;
}

/**
 * The bed a key leads to, or the same bed at an edge. `columns` is the number of tiles that stand side by side.
 * Left and Right follow the reading order, Up and Down keep the visual column (guide web, section 11).
 */
export function step(board: Board, bedId: string, key: StepKey, columns: number): string {
  const houseIndex = board.houses.findIndex((house) => house.beds.some((bed) => bed.id === bedId));
  const house = board.houses[houseIndex];
  if (!house) return bedId;
  switch (key) {
    case 'ArrowLeft':
      return besides(board, bedId, -1);
    case 'ArrowRight':
      return besides(board, bedId, 1);
    case 'ArrowUp':
      return aboveOrBelow(board, bedId, -1, columns);
    case 'ArrowDown':
      return aboveOrBelow(board, bedId, 1, columns);
    case 'Home':
      return house.beds.find(isStop)?.id ?? bedId;
    case 'End':
      return house.beds.findLast(isStop)?.id ?? bedId;
    case 'PageUp':
      return inOtherHouse(board, houseIndex, -1) ?? bedId;
    case 'PageDown':
      return inOtherHouse(board, houseIndex, 1) ?? bedId;
  }
}
