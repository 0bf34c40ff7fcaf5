import * as z from 'zod/mini';
import { brokenRule } from '../password-rules.utils';

/** Messages are keys of the `auth` texts. */
export const newPasswordSchema = z
  .object({
    password: z.string().check(
      z.minLength(1, { error: 'password.rule.required', abort: true }),
      z.check((context) => {
        const rule = brokenRule(context.value);
        if (rule) context.issues.push({ code: 'custom', message: `password.rule.${rule}`, input: context.value });
      }),
    ),
    confirmation: z.string().check(z.minLength(1, 'password.rule.confirmRequired')),
  })
  .check(
    z.refine((fields) => fields.confirmation === '' || fields.password === fields.confirmation, {
      error: 'password.rule.match',
      path: ['confirmation'],
      // Tell it also while the password itself is still wrong.
      when: () => true,
    }),
  );
