import * as z from 'zod/mini';
import { searchField } from '@/lib/search-field';

/** Whether there is such a day: February 31 would be one in March, and the 45th is none. */
function isDay(text: string): boolean {
  return new Date(text).toJSON()?.startsWith(text) ?? false;
}

/** A day in an address, such as `2026-12-01`; what is no day, and a day of another year than `years`, is left out. */
export function daySearchField(years = /^/) {
  const day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/), z.regex(years), z.refine(isDay));
  return searchField(day);
}
