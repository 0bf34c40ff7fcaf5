import { fieldOfPointer } from '@/api/field-errors';
import type { Problem } from '@/api/errors';
import { FIELDS_OF } from './steps.utils';

/** A sentence of the server and the place of the form where it is shown. */
export interface PlacedError {
  name: string;
  message: string;
}

const FIELDS: ReadonlySet<string> = new Set(Object.values(FIELDS_OF).flat());
/** What the server calls otherwise than the form. */
const RENAMED: Record<string, string> = { placeId: 'address', organizationId: '' };

/**
 * Sorts the field errors of a 422 (or of a 409 with a pointer): those the form can show beside a field, and the
 * sentences left for the text under the form. Deeper pointers end where the form shows errors: `/images/2/imagePath` at
 * the photos, `/rooms/1/beds/0/count` at the beds of the house.
 */
export function placeErrors(errors: NonNullable<Problem['errors']>): { placed: PlacedError[]; rest: string[] } {
  const placed: PlacedError[] = [];
  const rest: string[] = [];
  for (const { pointer, message } of errors) {
    const name = nameOf(pointer);
    if (name === undefined) rest.push(message);
    else if (!placed.some((known) => known.name === name)) placed.push({ name, message });
  }
  return { placed, rest };
}

function nameOf(pointer: string): string | undefined {
  const [head = '', index, part] = fieldOfPointer(pointer).split('.');
  const field = RENAMED[head] ?? head;
  if (!FIELDS.has(field)) return undefined;
  const isIndex = index !== undefined && /^\d+$/.test(index);
  if (field === 'intakePeriods' && isIndex) return `${field}.${index}.${part === 'to' ? 'to' : 'from'}`;
  if (field === 'rooms' && isIndex) return `${field}.${index}.${part === 'name' ? 'name' : 'beds'}`;
  return field;
}
