import type { Schemas } from '@/api/client';
import { formatClock, isAllDay } from '@/lib/time';

/** A description longer than the first is cut to about the second (spec A section 9). */
const DESCRIPTION_LIMIT = 135;
const DESCRIPTION_SHOWN = 49;

/** The beginning of a long description, cut at a word; undefined when all of it may be shown. */
export function shortDescription(description: string): string | undefined {
  const characters = Array.from(description);
  if (characters.length <= DESCRIPTION_LIMIT) return undefined;
  const start = characters.slice(0, DESCRIPTION_SHOWN).join('');
  const isInWord = /\S/.test(characters[DESCRIPTION_SHOWN] ?? '');
  const whole = isInWord ? start.replace(/\s+\S*$/, '') : start;
  return `${whole.trimEnd()}…`;
}

/** The groups in which services are shown, in this order; groups without any are left out. */
export function serviceGroups(services: readonly Schemas['Service'][]) {
  const categories = ['General', 'Disability', 'Gender', 'Age', 'Client'] as const;
  return categories
    .map((category) => ({
      category,
      services: services.filter((one) => one.category === category),
    }))
    .filter((group) => group.services.length > 0);
}

/** Hours of one group of days: the whole day, a range as people say it, or undefined when nobody is taken in. */
export function intakeHours(
  { enabled, from, to }: Pick<Schemas['IntakePeriod'], 'enabled' | 'from' | 'to'>,
  language: string,
): { kind: 'allDay' } | { kind: 'range'; from: string; to: string } | undefined {
  if (!enabled || !from) return undefined;
  if (isAllDay(from)) return { kind: 'allDay' };
  return to ? { kind: 'range', from: formatClock(from, language), to: formatClock(to, language) } : undefined;
}

/** Photos in the order of the page: the lowest index is the cover (spec A section 3). */
export function orderedPhotos(images: readonly Schemas['SiteImage'][]): string[] {
  return [...images].sort((one, other) => one.index - other.index).map(({ imagePath }) => imagePath);
}

/** A web address as it is read: without its scheme and the last slash. */
export function shownAddress(address: string): string {
  return address.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}
