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
