import * as z from 'zod/mini';
import { textKeys } from '@/i18n/text-key';

const text = textKeys('insurers');

/** An insurance company (spec B section 5). */
export const insurerSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, text('error.name'))),
  logoPath: z.nullable(z.string()).check(z.refine((path) => !!path, text('error.logo'))),
  isPrimary: z.boolean(),
});
export type InsurerValues = z.infer<typeof insurerSchema>;
