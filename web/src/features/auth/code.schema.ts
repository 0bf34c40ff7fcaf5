import * as z from 'zod/mini';

/** Messages are keys of the `auth` texts. */
export const codeSchema = z.object({
  code: z
    .string()
    .check(z.minLength(1, { error: 'confirm.codeRequired', abort: true }), z.regex(/^\d{6}$/, 'confirm.invalid')),
});

/** A recovery code as it is written down: three groups of four, blanks and capitals do not matter. */
export const recoverySchema = z.object({
  code: z
    .string()
    .check(
      z.minLength(1, { error: 'confirm.recoveryRequired', abort: true }),
      z.regex(/^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/, 'confirm.invalid'),
    ),
});
