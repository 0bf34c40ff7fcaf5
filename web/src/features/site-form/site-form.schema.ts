import * as z from 'zod/mini';
import { type TextKey, textKeys } from '@/i18n/text-key';
import { isPhone } from '@/lib/phone-plan';
import { parseSpan } from '@/lib/time';
import { DESCRIPTION_MINIMUM, descriptionLength } from './description.utils';
import { emptyIntake, faultOf, TIME_PERIODS } from './intake.utils';

/** What decides which fields a site asks for. */
export interface SiteFormKind {
  isCommercial: boolean;
  /** The address as it is stored; it needs not be chosen again. */
  storedAddress?: string;
  /** The wizard asks for the admin and, at a non-commercial site, for houses; the edit page asks for neither. */
  isNew: boolean;
}

/** The types of beds, in the order of the screen (DESIGN section 6). */
export const BED_TYPES = ['Detox', 'Treatment', 'Sober Living'] as const;

/** Shortest alias, in characters (spec A section 9). */
const ALIAS_MINIMUM = 3;

const key = textKeys('site-form');
/** An issue that does not keep the other rules from being asked. */
const issue = (path: (string | number)[], message: TextKey, input: unknown) =>
  ({ code: 'custom', path, message, input, continue: true }) as const;
const text = z.string().check(z.trim());
const required = text.check(z.minLength(1, key('invalid.required')));
const email = required.check(z.refine((value) => value === '' || isEmail(value), key('invalid.email')));

const intakePeriods = z
  .array(z.object({ timePeriod: z.enum(TIME_PERIODS), enabled: z.boolean(), from: z.string(), to: z.string() }))
  .check(
    z.superRefine((periods, context) => {
      if (!periods.some(({ enabled }) => enabled)) {
        context.issues.push(issue([], key('invalid.intakeNone'), periods));
      }
      for (const [index, period] of periods.entries()) {
        const fault = faultOf(period);
        if (fault) context.issues.push(issue([index, fault.field], key(`invalid.${fault.message}`), period));
      }
    }),
  );

const room = z.object({
  name: required,
  beds: z
    .array(z.object({ type: z.enum(BED_TYPES), count: z.number() }))
    .check(z.refine((beds) => beds.some(({ count }) => count > 0), key('invalid.bed'))),
});

const fields = z.object({
  name: required,
  alias: text.check(
    z.refine((value) => value === '' || Array.from(value).length >= ALIAS_MINIMUM, key('invalid.alias')),
  ),
  description: required.check(
    z.refine((value) => value === '' || descriptionLength(value) >= DESCRIPTION_MINIMUM, key('invalid.description')),
  ),
  /** Paths of the photos, the cover first. */
  images: z.array(z.string()),
  /** What stands in the field: the label of the chosen place, or what is typed so far. */
  address: z.string(),
  /** The server's id of the chosen place; empty until one is chosen. */
  placeId: z.string(),
  isDisabled: z.boolean(),
  contactPhone: z.string().check(
    z.minLength(1, key('invalid.required')),
    z.refine((value) => value === '' || isPhone(value), key('invalid.phone')),
  ),
  contactWeb: text.check(z.refine((value) => value === '' || isWebAddress(value), key('invalid.web'))),
  contactEmail: email,
  adminFirstName: text,
  adminLastName: text,
  adminEmail: text,
  intakePeriods,
  rooms: z.array(room),
  serviceIds: z.array(z.string()).check(z.minLength(1, key('invalid.service'))),
  languageIds: z.array(z.string()).check(z.minLength(1, key('invalid.required'))),
  screeningPeriod: required.check(z.refine((value) => value === '' || isSpan(value), key('invalid.screening'))),
  nonCommercialPaymentMethodIds: z.array(z.string()),
  /** Days; empty without a limit. On the edit page only. */
  lengthOfStayDaysMax: text.check(z.refine((value) => value === '' || isDays(value), key('invalid.days'))),
});

/** What the form holds; empty texts for what is not filled. */
export type SiteFormValues = z.infer<typeof fields>;
/** A name of the form. */
export type SiteField = keyof SiteFormValues;
/** A house of the wizard with its beds by type. */
export type RoomValue = SiteFormValues['rooms'][number];

/** The rules of spec A section 5 for one kind of site, on the wizard or on the edit page. */
export function siteFormSchema({ isCommercial, isNew, storedAddress }: SiteFormKind) {
  const { images, rooms } = fields.shape;
  const ofAdmin = isNew ? required : text;
  const all = z.object({
    ...fields.shape,
    images: isCommercial ? images.check(z.minLength(1, key('invalid.photo'))) : images,
    adminFirstName: ofAdmin,
    adminLastName: ofAdmin,
    adminEmail: isNew ? email : text,
    rooms: isNew && !isCommercial ? rooms.check(z.minLength(1, key('invalid.room'))) : rooms,
  });
  return all.check(
    z.superRefine(({ address, placeId }, context) => {
      if (address.trim() !== '' && (placeId !== '' || address === storedAddress)) return;
      context.issues.push(issue(['address'], key('invalid.address'), address));
    }),
  );
}

/** The shape alone, for what comes back from a draft: its contents are judged by the form. */
export function readSiteForm(stored: unknown): SiteFormValues | undefined {
  const shape = z.object({
    ...Object.fromEntries(TEXT_FIELDS.map((name) => [name, z.string()])),
    ...Object.fromEntries(LIST_FIELDS.map((name) => [name, z.array(z.string())])),
    isDisabled: z.boolean(),
    intakePeriods: z
      .array(z.object({ timePeriod: z.enum(TIME_PERIODS), enabled: z.boolean(), from: z.string(), to: z.string() }))
      .check(z.length(TIME_PERIODS.length)),
    rooms: z.array(
      z.object({ name: z.string(), beds: z.array(z.object({ type: z.enum(BED_TYPES), count: z.number() })) }),
    ),
  });
  const read = shape.safeParse(stored);
  return read.success ? (read.data as unknown as SiteFormValues) : undefined;
}

const TEXT_FIELDS = [
  'name',
  'alias',
  'description',
  'address',
  'placeId',
  'contactPhone',
  'contactWeb',
  'contactEmail',
  'adminFirstName',
  'adminLastName',
  'adminEmail',
  'screeningPeriod',
  'lengthOfStayDaysMax',
] as const satisfies readonly SiteField[];
const LIST_FIELDS = [
  'images',
  'serviceIds',
  'languageIds',
  'nonCommercialPaymentMethodIds',
] as const satisfies readonly SiteField[];

/** A house without beds. */
export function emptyRoom(name: string): RoomValue {
  return { name, beds: BED_TYPES.map((type) => ({ type, count: 0 })) };
}

/** The form of a new site; a non-commercial one starts with its first house (spec A section 2). */
export function emptySite({ isCommercial }: Pick<SiteFormKind, 'isCommercial'>, firstHouse: string): SiteFormValues {
  return {
    name: '',
    alias: '',
    description: '',
    images: [],
    address: '',
    placeId: '',
    isDisabled: false,
    contactPhone: '',
    contactWeb: '',
    contactEmail: '',
    adminFirstName: '',
    adminLastName: '',
    adminEmail: '',
    intakePeriods: emptyIntake(),
    rooms: isCommercial ? [] : [emptyRoom(firstHouse)],
    serviceIds: [],
    languageIds: [],
    screeningPeriod: '',
    nonCommercialPaymentMethodIds: [],
    lengthOfStayDaysMax: '',
  };
}

/** The longest stay that a site can set, in days (the same as on the server). */
const MAX_DAYS = 3650;

function isDays(value: string): boolean {
  return /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_DAYS;
}

function isEmail(value: string): boolean {
  return z.email().safeParse(value).success;
}

/** Whether a web address can be opened, with or without its `https://`. */
function isWebAddress(value: string): boolean {
  if (/[\s<>"\\]/.test(value)) return false;
  try {
    const { protocol, hostname, username } = new URL(value.includes('://') ? value : `https://${value}`);
    return /^https?:$/.test(protocol) && username === '' && /^[^.]+(\.[^.]+)*\.[a-z\d-]{2,}$/i.test(hostname);
  } catch {
    return false;
  }
}

function isSpan(value: string): boolean {
  try {
    return parseSpan(value) > 0;
  } catch {
    return false;
  }
}
