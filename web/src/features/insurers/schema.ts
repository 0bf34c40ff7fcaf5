import * as z from 'zod/mini';

/** An insurance company (spec B section 5); messages are keys below `insurers:`. */
export const insurerSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'error.name')),
  logoPath: z.nullable(z.string()).check(z.refine((path) => !!path, 'error.logo')),
  isPrimary: z.boolean(),
});
export type InsurerValues = z.infer<typeof insurerSchema>;
