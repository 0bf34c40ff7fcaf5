import { FIELDS_OF } from './steps.utils';

const FIELDS: ReadonlySet<string> = new Set(Object.values(FIELDS_OF).flat());

/**
 * Maps a field name of the server to the form; undefined for a field that the form does not show. Deeper names end where
 * the form shows errors: `images.2.imagePath` at the photos, `rooms.1.beds.0.count` at the beds of the house.
 */
export function placeOfField(name: string): string | undefined {
  const [head = '', index, part] = name.split('.');
  const field = head === 'placeId' ? 'address' : head;
  if (!FIELDS.has(field)) return undefined;
  const isIndex = index !== undefined && /^\d+$/.test(index);
  if (field === 'intakePeriods' && isIndex) return `${field}.${index}.${part === 'to' ? 'to' : 'from'}`;
  if (field === 'rooms' && isIndex) return `${field}.${index}.${part === 'name' ? 'name' : 'beds'}`;
  return field;
}
