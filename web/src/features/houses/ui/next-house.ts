/** The N of the next 'House #N': one more than there are houses, or the next number that is free. */
export function nextHouse(rooms: readonly { name: string }[]): number {
  const taken = new Set(rooms.map(({ name }) => /#\s*(\d+)\s*$/.exec(name)?.[1]));
  let number = rooms.length + 1;
  while (taken.has(String(number))) number += 1;
  return number;
}
