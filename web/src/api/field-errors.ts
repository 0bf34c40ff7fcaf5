import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError, ValidationError } from './errors';

/**
 * Maps field names of the server to those of a form: a table, or a function that gets the pointer as `rooms.0.name`. Names
 * missing in the table are the same in the form.
 */
export type FieldNames = Readonly<Record<string, string>> | ((field: string) => string | undefined);

/** Field errors of the server, matched to a form. */
interface PlacedErrors {
  /** With the field names of the form. */
  placed: { name: string; message: string }[];
  /** Messages about fields that the form does not show. */
  rest: string[];
}

/** Matches the field errors of a response (422, or 409 for a single field) to the fields of a form. */
export function placeFieldErrors(error: ApiError, fields: readonly string[], names: FieldNames = {}): PlacedErrors {
  const placed: PlacedErrors['placed'] = [];
  const rest: string[] = [];
  for (const { pointer, message } of error.problem.errors ?? []) {
    const name = nameInForm(fieldOfPointer(pointer), fields, names);
    if (name === undefined) rest.push(message);
    else if (!placed.some((known) => known.name === name)) placed.push({ name, message });
  }
  return { placed, rest };
}

function nameInForm(field: string, fields: readonly string[], names: FieldNames): string | undefined {
  if (typeof names === 'function') return names(field);
  return names[field] ?? fields.find((known) => known === field);
}

/**
 * Puts the field errors of a 422, or of a 409 that belongs to a field, beside their fields and returns what is left for the text under the form:
 * the server's sentence when nothing could be placed, else undefined.
 * `fields` are the names of the form; `rename` maps the server's names to them where they differ, as `FieldNames` does.
 */
export function applyFieldErrors<Values extends FieldValues>(
  setError: UseFormSetError<Values>,
  error: unknown,
  fields: readonly Path<Values>[],
  rename: Partial<Record<string, Path<Values>>> | ((field: string) => Path<Values> | undefined) = {},
): string | undefined {
  if (!(error instanceof ApiError)) throw error;
  const hasFields = error instanceof ValidationError || (error.problem.errors ?? []).length > 0;
  if (!hasFields) return error.message;
  const { placed, rest } = placeFieldErrors(error, fields, rename as FieldNames);
  for (const [index, { name, message }] of placed.entries()) {
    setError(name as Path<Values>, { type: 'server', message }, { shouldFocus: index === 0 });
  }
  if (placed.length === 0 && rest.length === 0) return error.message;
  return rest.length > 0 ? rest.join(' ') : undefined;
}

/** `/rooms/0/name` and `#/rooms/0/name` → `rooms.0.name`, as react-hook-form spells it. */
export function fieldOfPointer(pointer: string): string {
  return pointer
    .replace(/^#?\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
