import * as z from 'zod/mini';
import type { Schemas } from '@/api/client';
import { textKeys } from '@/i18n/text-key';
import { EMPTY_GUEST_VALUES } from '@/lib/guest-values';
import { isPersonalPhone } from '@/lib/phone-plan';

const key = textKeys('find');
const required = () => z.string().check(z.trim(), z.minLength(1, key('invalid.required')));
const choice = () => z.string().check(z.minLength(1, key('invalid.choose')));

const fields = z.object({
  firstName: required().check(z.maxLength(50, key('invalid.firstNameLength'))),
  lastName: required().check(
    z.refine((text) => Array.from(text.trim().normalize()).length <= 1, key('invalid.lastNameLength')),
  ),
  gender: choice(),
  ageServiceId: choice(),
  phone: z.string().check(z.refine(isPersonalPhone, key('invalid.phone'))),
  email: z.string().check(z.trim(), z.email(key('invalid.email'))),
  location: z.string(),
  serviceIds: z.array(z.string()),
  typeOfClientServiceId: z.string(),
  paymentMethod: z.string(),
  insuranceCompanyId: z.string(),
  policyNumber: z.string(),
  groupNumber: z.string(),
  mediCalChoice: z.string(),
});

/** What the form holds; empty texts for what is not filled. */
export type ReservationValues = z.infer<typeof fields>;

/** The names of the fields, in the order of the screen. */
export const RESERVATION_FIELDS = Object.keys(fields.shape) as (keyof ReservationValues)[];

/** An empty form. */
export const EMPTY_RESERVATION: ReservationValues = EMPTY_GUEST_VALUES;

/** The number of the way to pay that asks for an insurer. */
export const INSURANCE = '2';

type Site = Schemas['PublicSiteDetails'];

/** The rules of a site's form. The server judges; these spare a round. */
export function reservationSchema(site: Site) {
  const general = new Set(site.choices.filter(({ category }) => category === 'General').map(({ id }) => id));
  const hasClients = site.choices.some(({ category }) => category === 'Client');
  return fields.check(
    z.superRefine((values, context) => {
      const wrong = (field: keyof ReservationValues, message: string) =>
        context.issues.push({ code: 'custom', path: [field], message, input: values[field] });
      if (!values.serviceIds.some((id) => general.has(id))) wrong('serviceIds', key('invalid.services'));
      if (!site.isCommercial) return;
      if (hasClients && values.typeOfClientServiceId === '') wrong('typeOfClientServiceId', key('invalid.choose'));
      if (values.paymentMethod === '') wrong('paymentMethod', key('invalid.choose'));
      const needsInsurer = values.paymentMethod === INSURANCE && values.insuranceCompanyId === '';
      if (needsInsurer) wrong('insuranceCompanyId', key('invalid.choose'));
    }),
  );
}

/** What is sent for a form. */
export function toReservation(values: ReservationValues, site: Site): Schemas['NewReservation'] {
  const filled = (text: string) => (text.trim() === '' ? null : text.trim());
  const isInsured = site.isCommercial && values.paymentMethod === INSURANCE;
  return {
    siteId: site.id,
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    gender: Number(values.gender),
    ageServiceId: values.ageServiceId,
    phone: values.phone,
    email: values.email.trim(),
    location: filled(values.location),
    serviceIds: values.serviceIds,
    ...(site.isCommercial
      ? {
          typeOfClientServiceId: filled(values.typeOfClientServiceId),
          paymentMethod: Number(values.paymentMethod),
          insuranceCompanyId: isInsured ? values.insuranceCompanyId : null,
          policyNumber: isInsured ? filled(values.policyNumber) : null,
          groupNumber: isInsured ? filled(values.groupNumber) : null,
        }
      : { mediCalChoice: filled(values.mediCalChoice) }),
  };
}

/** The six digits of a code. */
export const codeSchema = z.object({
  code: z.string().check(z.regex(/^\d{6}$/, key('invalid.code'))),
});

/** The letters and digits of a code, however it is written: `K7M-2QX`, `k7m 2qx`. */
export const withoutMarks = (typed: string) => typed.replace(/[^A-Za-z0-9]/g, '');

/** What finds a reservation. */
export const lookupSchema = z.object({
  code: z.string().check(z.regex(/^[A-Za-z0-9]{6}$/, key('invalid.reservationCode'))),
  digits: z.string().check(z.regex(/^\d{4}$/, key('invalid.digits'))),
});
