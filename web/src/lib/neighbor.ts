/** The one to go on with when the row `id` goes: the next that is still there, else the one before; none in an empty list. */
export function neighborOf(id: string, before: readonly string[], now: readonly string[]): string | undefined {
  const place = before.indexOf(id);
  const isThere = (other: string) => other !== id && now.includes(other);
  return (
    before.slice(place + 1).find(isThere) ??
    before.slice(0, Math.max(0, place)).findLast(isThere) ??
    now.find((other) => other !== id)
  );
}
