import * as z from 'zod/mini';
import { textKeys } from '@/i18n/text-key';

/** Texts of spec A section 5. */
const text = textKeys('organizations');

const name = z.string().check(z.trim(), z.minLength(1, text('error.name')));
const logoPath = z.nullable(z.string()).check(z.refine((path) => !!path, text('error.logo')));
const email = z.string().check(z.trim(), z.minLength(1, text('error.emailRequired')), z.email(text('error.email')));

/** A new organization with its first owner. */
export const newOrganizationSchema = z.object({ name, ownerEmail: email, logoPath });
export type NewOrganizationValues = z.infer<typeof newOrganizationSchema>;

/** What may be changed of an organization. */
export const organizationSchema = z.object({
  name,
  logoPath,
  methods: z.array(z.number()).check(z.minLength(1, text('error.methods'))),
  isShown: z.boolean(),
});

/** The name of a reason for declines or discharges; how long it may be, the server says. */
export const reasonNameSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, text('reasons.nameRequired'))),
});

/** A new reason. */
export const reasonSchema = z.extend(reasonNameSchema, { kind: z.enum(['Decline', 'Discharge']) });
export type ReasonValues = z.infer<typeof reasonSchema>;

/** An owner to invite; that names are there, the server says. */
export const ownerSchema = z.object({
  email,
  firstName: z.string().check(z.trim()),
  lastName: z.string().check(z.trim()),
  receiveReservationTexts: z.boolean(),
});
export type OwnerValues = z.infer<typeof ownerSchema>;
