import * as z from 'zod/mini';
import { daySearchField } from '@/lib/day-search';
import { searchField } from '@/lib/search-field';

/** What the address remembers of the numbers. Spread the fields into the route's own schema. */
export const numbersSearchFields = {
  /** How many days up to today, unless a first or last day is given. Numbers that cannot be chosen read as 30. */
  days: searchField(z.int()),
  /** The first day, such as `2026-12-01`. */
  from: daySearchField(),
  /** The last day. */
  to: daySearchField(),
};

/** What the address remembers of the numbers. */
export interface NumbersSearch {
  days?: number;
  from?: string;
  to?: string;
}
