import * as z from 'zod/mini';
import { textKeys } from '@/i18n/text-key';

/** Longest name the server takes. */
export const MAX_NAME = 100;

const text = textKeys('users');
const SITE_ROLE = z.enum(['Admin', 'Staff', 'Intake']);

/** The invitation to a site (spec A section 5). */
export const inviteSchema = z.object({
  email: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: text('invite.emailRequired'), abort: true }),
      z.email(text('invite.emailInvalid')),
    ),
  firstName: z.string().check(z.trim(), z.minLength(1, text('invite.firstNameRequired'))),
  lastName: z.string().check(z.trim(), z.minLength(1, text('invite.lastNameRequired'))),
  role: SITE_ROLE,
  receiveReservationTexts: z.boolean(),
  language: z.enum(['en', 'es']),
});

export type InviteValues = z.infer<typeof inviteSchema>;

/** The edit form (spec A section 5). */
export const editSchema = z.object({
  email: z.string().check(z.trim(), z.email(text('edit.emailInvalid'))),
  firstName: z.string().check(z.trim(), z.minLength(1, text('edit.firstNameRequired'))),
  lastName: z.string().check(z.trim(), z.minLength(1, text('edit.lastNameRequired'))),
  role: z.enum(['Admin', 'Staff', 'Intake', 'Owner', 'GlobalAdmin']),
  receiveReservationTexts: z.boolean(),
  isDisabled: z.boolean(),
});

/** The same where the name belongs to somebody who also has access elsewhere: it is shown and not changed. */
export const editFixedNameSchema = z.extend(editSchema, { firstName: z.string(), lastName: z.string() });

export type EditValues = z.infer<typeof editSchema>;
