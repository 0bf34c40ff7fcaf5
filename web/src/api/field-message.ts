import { ApiError } from './errors';

/** Returns what the server says about the field at `pointer`, or about the first wrong field; undefined if it names none. */
export function fieldMessage(error: unknown, pointer?: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.problem.errors?.find((field) => pointer === undefined || field.pointer === pointer)?.message;
}
