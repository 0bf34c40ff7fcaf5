import { fold } from '@/lib/text';

/** The part of a label that a search matched, by positions. */
export interface Match {
  from: number;
  to: number;
}

const WORD_START = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu;

/** Fewest digits by which the server searches phone numbers. */
const MIN_PHONE_DIGITS = 3;

/** Returns the words of `label` that the typed text begins, ignoring case and accents. */
export function matchOf(label: string, typed: string): Match | undefined {
  const wanted = fold(typed);
  if (wanted === '') return undefined;
  for (const { index: from } of label.matchAll(WORD_START)) {
    for (let to = from + 1; to <= label.length; to += 1) {
      const part = fold(label.slice(from, to));
      if (part.startsWith(wanted)) return { from, to };
      if (!wanted.startsWith(part)) break;
    }
  }
  return undefined;
}

/** Returns the digits of a phone number, as it is written, that were typed: the last of them if there are several. */
export function phoneMatchOf(phone: string, typed: string): Match | undefined {
  const wanted = typed.replaceAll(/\D/g, '');
  if (wanted.length < MIN_PHONE_DIGITS || /\p{L}/u.test(typed)) return undefined;
  const places = [...phone.matchAll(/\d/g)].map(({ index }) => index);
  const first = phone.replaceAll(/\D/g, '').lastIndexOf(wanted);
  const from = places[first];
  const last = places[first + wanted.length - 1];
  return from === undefined || last === undefined ? undefined : { from, to: last + 1 };
}
