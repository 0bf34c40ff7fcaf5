import * as z from 'zod/mini';
import { textKeys } from '@/i18n/text-key';

/** Value of a day field of which only a part is typed. The browser says of such a field that it is empty. */
export const INCOMPLETE_DAY = 'incomplete';

/** Returns true if the year has more than the four digits of a day: browsers let one type six. */
export function hasLongYear(day: string): boolean {
  return /^\d{5}/.test(day);
}

/** A day, or '' for none. */
export const optionalDay = z.string().check(
  z.refine((day) => day !== INCOMPLETE_DAY, textKeys('common')('form.incompleteDay')),
  z.refine((day) => !hasLongYear(day), textKeys('common')('form.invalidYear')),
);

/** Returns the day in a date input, '' if nothing is typed. */
export function dayIn({ value, validity }: HTMLInputElement): string {
  return validity.badInput ? INCOMPLETE_DAY : value;
}
