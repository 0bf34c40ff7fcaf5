import * as z from 'zod/mini';

/** First and last day that can be searched by: the fields of dates take them as `min` and `max`. */
export const FIRST_DAY = '2000-01-01';
export const LAST_DAY = '2999-12-31';

/** Whether there is such a day: February 31 would be one in March. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** A day in an address, such as `2026-12-01`; anything else is left out. */
export const daySearchField = z.catch(
  z.optional(
    z.string().check(
      z.regex(/^\d{4}-\d{2}-\d{2}$/),
      z.refine((text) => FIRST_DAY <= text && text <= LAST_DAY && isDay(text)),
    ),
  ),
  undefined,
);
