import * as z from 'zod/mini';

/** Messages are keys of the `auth` texts. */
export const signInSchema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, 'signIn.emailRequired')),
  password: z.string().check(z.minLength(1, 'signIn.passwordRequired')),
  terms: z.literal(true, 'signIn.agreementsRequired'),
  agreement: z.literal(true, 'signIn.agreementsRequired'),
});
