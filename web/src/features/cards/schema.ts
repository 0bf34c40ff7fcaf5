import * as z from 'zod/mini';

/** The first card needs an address for receipts; messages are keys below `cards:`. */
export const receiptsSchema = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, { error: 'error.emailRequired', abort: true }), z.email('error.email')),
});
export type ReceiptsValues = z.infer<typeof receiptsSchema>;
