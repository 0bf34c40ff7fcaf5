import * as z from 'zod/mini';
import type { Schemas } from '@/api/client';
import { EMPTY_GUEST_VALUES } from '@/lib/guest-values';
import { isPhone } from '@/lib/phone-plan';
import type { Wanted } from './offer.utils';

/** Messages are keys of the `reservations` texts, so that they follow a change of language. */
const required = (message: InvalidKey) => z.string().check(z.trim(), z.minLength(1, message));
const short = z.string().check(z.trim(), z.maxLength(50, 'invalid.length'));
const CHARACTERS_OF_INITIAL = 1;

/** Keys of the texts that say what is wrong. */
export type InvalidKey = `invalid.${
  | 'gender'
  | 'age'
  | 'firstName'
  | 'firstNameLength'
  | 'lastName'
  | 'lastNameLength'
  | 'email'
  | 'phone'
  | 'phoneRequired'
  | 'services'
  | 'typeOfClient'
  | 'paymentMethod'
  | 'insuranceCompany'
  | 'allowNotServed'
  | 'reason'
  | 'length'}`;

/** What decides which fields a site asks for, and which services satisfy it. */
export interface FormRules {
  isCommercial: boolean;
  /** Ids of the general services: one of them at least. */
  generalServiceIds: ReadonlySet<string>;
  /** Ids of the payment methods that ask for an insurance company. */
  insuranceMethodIds: ReadonlySet<string>;
  /** Returns true if the site serves all that these values ask for. */
  servesAll: (values: Wanted) => boolean;
  /** Whether the guest goes over held capacity: that needs a reason. */
  asksReason: boolean;
}

const fields = z.object({
  firstName: required('invalid.firstName').check(z.maxLength(50, 'invalid.firstNameLength')),
  lastName: required('invalid.lastName').check(
    z.refine((text) => Array.from(text.normalize()).length <= CHARACTERS_OF_INITIAL, 'invalid.lastNameLength'),
  ),
  gender: z.string().check(z.minLength(1, 'invalid.gender')),
  ageServiceId: z.string().check(z.minLength(1, 'invalid.age')),
  phone: z.string().check(
    z.refine(isPhone, {
      error: ({ input }): InvalidKey => (input === '' ? 'invalid.phoneRequired' : 'invalid.phone'),
    }),
  ),
  email: z.string().check(z.trim(), z.email('invalid.email')),
  language: z.enum(['en', 'es']),
  location: z.string().check(z.trim(), z.maxLength(100, 'invalid.length')),
  serviceIds: z.array(z.string()),
  typeOfClientServiceId: z.string(),
  paymentMethod: z.string(),
  insuranceCompanyId: z.string(),
  policyNumber: short,
  groupNumber: short,
  mediCalChoice: z.string(),
  insuranceCardFront: z.nullable(z.string()),
  insuranceCardBack: z.nullable(z.string()),
  allowNotServed: z.boolean(),
  overCapacityReason: z.string().check(z.trim(), z.maxLength(200, 'invalid.length')),
  // Only for people who wait.
  bedType: z.nullable(z.enum(['Detox', 'Treatment', 'Sober Living'])),
  priorityReason: z.string().check(z.trim(), z.maxLength(200, 'invalid.length')),
});

/** What the form holds; empty texts for what is not filled. */
export type NewGuestValues = z.infer<typeof fields>;

/** The names of the fields, in the order of the screen. */
export const NEW_GUEST_FIELDS = Object.keys(fields.shape) as (keyof NewGuestValues)[];

/** An empty form. */
export const EMPTY_GUEST: NewGuestValues = {
  ...EMPTY_GUEST_VALUES,
  language: 'en',
  insuranceCardFront: null,
  insuranceCardBack: null,
  allowNotServed: false,
  overCapacityReason: '',
  bedType: null,
  priorityReason: '',
};

/** The rules of spec B section 5 for one site. All of them are checked at once, also while fields are empty. */
export function newGuestSchema(rules: FormRules) {
  const wrong = (values: NewGuestValues) => [
    ...wrongAnywhere(values, rules),
    ...(rules.isCommercial ? wrongAtCommercial(values, rules) : []),
  ];
  return fields.check(
    z.superRefine((values, context) => {
      for (const [field, message] of wrong(values)) {
        context.issues.push({ code: 'custom', path: [field], message, input: values[field] });
      }
    }),
  );
}

type Wrong = [keyof NewGuestValues, InvalidKey];

function wrongAnywhere(values: NewGuestValues, rules: FormRules): Wrong[] {
  const hasService = values.serviceIds.some((id) => rules.generalServiceIds.has(id));
  const isAllowed = values.allowNotServed || rules.servesAll(values);
  return keepWrong([
    ['serviceIds', !hasService && 'invalid.services'],
    ['allowNotServed', !isAllowed && 'invalid.allowNotServed'],
    ['overCapacityReason', rules.asksReason && values.overCapacityReason === '' && 'invalid.reason'],
  ]);
}

function wrongAtCommercial(values: NewGuestValues, rules: FormRules): Wrong[] {
  const needsInsurer = rules.insuranceMethodIds.has(values.paymentMethod);
  return keepWrong([
    ['typeOfClientServiceId', values.typeOfClientServiceId === '' && 'invalid.typeOfClient'],
    ['paymentMethod', values.paymentMethod === '' && 'invalid.paymentMethod'],
    ['insuranceCompanyId', needsInsurer && values.insuranceCompanyId === '' && 'invalid.insuranceCompany'],
  ]);
}

function keepWrong(candidates: readonly [keyof NewGuestValues, InvalidKey | false][]): Wrong[] {
  return candidates.filter((entry): entry is Wrong => entry[1] !== false);
}

/** In the order of their numbers in the payload. */
const GENDERS: readonly string[] = ['Other', 'Male', 'Female'];

/** The payload of spec B section 3. `ageServices` stand in the order of the age groups 1, 2, 3. */
export function toNewGuest(
  values: NewGuestValues,
  site: Pick<Schemas['SiteDetails'], 'id' | 'isCommercial'>,
  rules: FormRules,
  ageServices: readonly Pick<Schemas['Service'], 'id'>[],
): Schemas['NewGuest'] {
  const ageGroup = ageServices.findIndex(({ id }) => id === values.ageServiceId) + 1;
  const hasInsurer = rules.insuranceMethodIds.has(values.paymentMethod);
  const filled = (text: string) => (text.trim() === '' ? undefined : text.trim());
  const payment = site.isCommercial
    ? {
        typeOfClientServiceId: values.typeOfClientServiceId,
        paymentMethod: Number(values.paymentMethod),
        insuranceCompanyId: hasInsurer ? values.insuranceCompanyId : undefined,
        policyNumber: hasInsurer ? filled(values.policyNumber) : undefined,
        groupNumber: hasInsurer ? filled(values.groupNumber) : undefined,
        insuranceCardFront: hasInsurer ? (values.insuranceCardFront ?? undefined) : undefined,
        insuranceCardBack: hasInsurer ? (values.insuranceCardBack ?? undefined) : undefined,
      }
    : { mediCalChoice: filled(values.mediCalChoice) };
  return withoutUndefined({
    siteId: site.id,
    gender: Math.max(0, GENDERS.indexOf(values.gender)),
    ageGroup: ageGroup > 0 ? ageGroup : undefined,
    ageServiceId: values.ageServiceId,
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    phone: values.phone,
    email: values.email.trim(),
    // English is the server's default.
    language: values.language === 'en' ? undefined : values.language,
    location: filled(values.location),
    serviceIds: values.serviceIds,
    source: 'Admin',
    allowNotServed: rules.servesAll(values) ? undefined : values.allowNotServed,
    overCapacityReason: rules.asksReason ? filled(values.overCapacityReason) : undefined,
    ...payment,
  });
}

/** What the form holds of a guest who was sent before; the inverse of `toNewGuest`. */
export function toValues(guest: Schemas['NewGuest'], bedType: NewGuestValues['bedType']): NewGuestValues {
  return {
    ...EMPTY_GUEST,
    firstName: guest.firstName ?? '',
    lastName: guest.lastName ?? '',
    gender: GENDERS[guest.gender ?? 0] ?? 'Other',
    ageServiceId: guest.ageServiceId ?? '',
    phone: guest.phone ?? '',
    email: guest.email ?? '',
    language: guest.language ?? 'en',
    location: guest.location ?? '',
    serviceIds: guest.serviceIds ?? [],
    typeOfClientServiceId: guest.typeOfClientServiceId ?? '',
    paymentMethod: guest.paymentMethod ? String(guest.paymentMethod) : '',
    insuranceCompanyId: guest.insuranceCompanyId ?? '',
    policyNumber: guest.policyNumber ?? '',
    groupNumber: guest.groupNumber ?? '',
    mediCalChoice: guest.mediCalChoice ?? '',
    insuranceCardFront: guest.insuranceCardFront ?? null,
    insuranceCardBack: guest.insuranceCardBack ?? null,
    allowNotServed: guest.allowNotServed ?? false,
    bedType,
  };
}

function withoutUndefined<Body extends object>(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Body;
}
