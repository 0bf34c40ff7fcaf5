import * as z from 'zod/mini';
import { isPhone } from '@/lib/phone';
import { brokenRule } from './password-rules.utils';

/** Messages are keys of the `auth` texts. */
export const signInSchema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, 'signIn.emailRequired')),
  password: z.string().check(z.minLength(1, 'signIn.passwordRequired')),
  terms: z.literal(true, 'signIn.agreementsRequired'),
  agreement: z.literal(true, 'signIn.agreementsRequired'),
});

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

export const phoneSchema = z.object({
  phone: z
    .string()
    .check(z.minLength(1, { error: 'setup.phoneRequired', abort: true }), z.refine(isPhone, 'phone.incorrect')),
});

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
