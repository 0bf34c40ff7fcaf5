import * as z from 'zod/mini';

/** Longest name the server takes. */
export const MAX_NAME = 100;

const SITE_ROLE = z.enum(['Admin', 'Staff', 'Intake']);

/** The invitation to a site; messages are keys of the `users` texts (spec A section 5). */
export const inviteSchema = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, { error: 'invite.emailRequired', abort: true }), z.email('invite.emailInvalid')),
  firstName: z.string().check(z.trim(), z.minLength(1, 'invite.firstNameRequired')),
  lastName: z.string().check(z.trim(), z.minLength(1, 'invite.lastNameRequired')),
  role: SITE_ROLE,
  receiveReservationTexts: z.boolean(),
  language: z.enum(['en', 'es']),
});

export type InviteValues = z.infer<typeof inviteSchema>;

/** The edit form (spec A section 5). */
export const editSchema = z.object({
  email: z.string().check(z.trim(), z.email('edit.emailInvalid')),
  firstName: z.string().check(z.trim(), z.minLength(1, 'edit.firstNameRequired')),
  lastName: z.string().check(z.trim(), z.minLength(1, 'edit.lastNameRequired')),
  role: z.enum(['Admin', 'Staff', 'Intake', 'Owner', 'GlobalAdmin']),
  receiveReservationTexts: z.boolean(),
  isDisabled: z.boolean(),
});

export type EditValues = z.infer<typeof editSchema>;
