import * as z from 'zod/mini';

/** Whether there is such a day: February 31 would be one in March. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** A day in an address, such as `2026-12-01`; anything else, and a day before `first` or after `last`, is left out. */
export function daySearchField(first = '0000-01-01', last = '9999-12-31') {
  const day = z.string().check(
    z.regex(/^\d{4}-\d{2}-\d{2}$/),
    z.refine((text) => first <= text && text <= last && isDay(text)),
  );
  return z.catch(z.optional(day), undefined);
}
