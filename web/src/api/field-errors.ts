import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError, ValidationError } from './errors';

/**
 * Puts the field errors of a 422, or of a 409 that belongs to a field, beside their fields and returns what is left for the text under the form:
 * the server's sentence when nothing could be placed, else undefined.
 * `fields` are the names of the form; `rename` maps a pointer of the server to a name of the form where they differ.
 */
export function applyFieldErrors<Values extends FieldValues>(
  setError: UseFormSetError<Values>,
  error: unknown,
  fields: readonly Path<Values>[],
  rename: Partial<Record<string, Path<Values>>> = {},
): string | undefined {
  if (!(error instanceof ApiError)) throw error;
  const hasFields = error instanceof ValidationError || (error.problem.errors ?? []).length > 0;
  if (!hasFields) return error.message;
  const unplaced: string[] = [];
  let focused = false;
  for (const { pointer, message } of error.problem.errors ?? []) {
    const pointed = fieldOfPointer(pointer);
    const name = rename[pointed] ?? fields.find((field) => field === pointed);
    if (name === undefined) {
      unplaced.push(message);
    } else {
      setError(name, { type: 'server', message }, { shouldFocus: !focused });
      focused = true;
    }
  }
  if (!focused && unplaced.length === 0) return error.message;
  return unplaced.length > 0 ? unplaced.join(' ') : undefined;
}

/** `/rooms/0/name` and `#/rooms/0/name` → `rooms.0.name`, as react-hook-form spells it. */
export function fieldOfPointer(pointer: string): string {
  return pointer
    .replace(/^#?\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
