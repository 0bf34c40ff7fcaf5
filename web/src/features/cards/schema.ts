import * as z from 'zod/mini';
import { textKeys } from '@/i18n/text-key';

const text = textKeys('cards');

/** The first card needs an address for receipts. */
export const receiptsSchema = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, { error: text('error.emailRequired'), abort: true }), z.email(text('error.email'))),
});

/** Further cards need none. */
export const anyEmailSchema = z.object({ email: z.string() });
