import * as z from 'zod/mini';

/** A field of an address that may be missing. A value that `schema` does not allow is dropped. */
export function searchField<Field extends z.core.$ZodType>(schema: Field) {
  return z.catch<z.ZodMiniOptional<Field>>(z.optional(schema), undefined as z.core.output<z.ZodMiniOptional<Field>>);
}

/** The id of something that the page shows or opens, spelled as the server does. */
export const idSearchField = searchField(z.uuid().check(z.toLowerCase()));
