import type { Schemas } from '@/api/client';
import { isSameJson } from '@/components/form/changed-fields';
import { intakeOf, toIntakePeriods } from './intake.utils';
import { BED_TYPES, type SiteFormKind, type SiteField, type SiteFormValues } from './site-form.schema';

/** Both payloads without what only one of them has (spec A section 3). */
function fieldsOf(values: SiteFormValues, { isCommercial }: Pick<SiteFormKind, 'isCommercial'>) {
  return {
    name: values.name.trim(),
    alias: filled(values.alias),
    description: values.description.trim(),
    address: values.address,
    placeId: filled(values.placeId),
    contactPhone: values.contactPhone,
    contactEmail: values.contactEmail.trim(),
    contactWeb: filled(values.contactWeb),
    intakePeriods: toIntakePeriods(values.intakePeriods),
    showDaysOfWeek: true,
    screeningPeriod: values.screeningPeriod,
    languageIds: values.languageIds,
    serviceIds: values.serviceIds,
    nonCommercialPaymentMethodIds: isCommercial ? [] : values.nonCommercialPaymentMethodIds,
    images: values.images.map((imagePath, index) => ({ imagePath, index })),
    insuranceIds: [],
  };
}

/** The payload of a new site. Types of beds of which there are none are left out. */
export function toNewSite(
  values: SiteFormValues,
  kind: Pick<SiteFormKind, 'isCommercial'>,
  organizationId: string,
  redirectUri: string,
): Schemas['NewSite'] {
  const rooms = kind.isCommercial ? [] : values.rooms;
  return {
    ...fieldsOf(values, kind),
    organizationId,
    adminFirstName: values.adminFirstName.trim(),
    adminLastName: values.adminLastName.trim(),
    adminEmail: values.adminEmail.trim(),
    rooms: rooms.map(({ name, beds }) => ({
      name: name.trim(),
      imagePath: null,
      beds: beds.filter(({ count }) => count > 0),
    })),
    redirectUri,
  };
}

/** The payload of a changed site. `editVersion` is the one the form was filled from. Houses have their own tab, and are not sent. */
export function toSiteEdit(
  values: SiteFormValues,
  { id, isCommercial, editVersion }: Pick<Schemas['SiteDetails'], 'id' | 'isCommercial' | 'editVersion'>,
): Schemas['SiteEdit'] {
  return {
    ...fieldsOf(values, { isCommercial }),
    id,
    isDisabled: values.isDisabled,
    lengthOfStayDaysMin: null,
    // 0 takes the limit away; null would leave it as it is.
    lengthOfStayDaysMax: Number(values.lengthOfStayDaysMax),
    editVersion,
  };
}

/** A stored site as the edit page shows it. */
export function fromSite(site: Schemas['SiteDetails']): SiteFormValues {
  return {
    name: site.name,
    alias: site.alias ?? '',
    description: site.description,
    images: [...site.images].sort((one, other) => one.index - other.index).map(({ imagePath }) => imagePath),
    address: site.address,
    placeId: '',
    isDisabled: site.isDisabled,
    contactPhone: site.contactPhone,
    contactWeb: site.contactWeb ?? '',
    contactEmail: site.contactEmail,
    adminFirstName: '',
    adminLastName: '',
    adminEmail: '',
    intakePeriods: intakeOf(site.intakePeriods),
    rooms: [],
    serviceIds: site.services.map(({ id }) => id),
    languageIds: site.languages.map(({ id }) => id),
    screeningPeriod: site.screeningPeriod.value,
    nonCommercialPaymentMethodIds: site.nonCommercialPaymentMethods.map(({ id }) => id),
    lengthOfStayDaysMax: site.lengthOfStayDaysMax === null ? '' : String(site.lengthOfStayDaysMax),
  };
}

const SETS: ReadonlySet<SiteField> = new Set(['serviceIds', 'languageIds', 'nonCommercialPaymentMethodIds']);

/** Whether a field says the same in two versions of a site; the order of ids does not matter, that of photos does. */
export function isSameInSite(field: SiteField, one: unknown, other: unknown): boolean {
  const inOrder = (value: unknown) => (SETS.has(field) ? [...(value as string[])].sort() : value);
  return isSameJson(inOrder(one), inOrder(other));
}

/** How many beds a house of the form has. */
export function bedsOf(beds: SiteFormValues['rooms'][number]['beds']): number {
  return beds.reduce((sum, { count }) => sum + count, 0);
}

/** The beds of a house with another number of one type, 0 to 50. */
export function withCount(
  beds: SiteFormValues['rooms'][number]['beds'],
  type: (typeof BED_TYPES)[number],
  count: number,
): SiteFormValues['rooms'][number]['beds'] {
  const whole = Number.isFinite(count) ? Math.min(MAX_BEDS, Math.max(0, Math.round(count))) : 0;
  return BED_TYPES.map((known) =>
    known === type
      ? { type, count: whole }
      : { type: known, count: beds.find((bed) => bed.type === known)?.count ?? 0 },
  );
}

/** The most beds of one type in one house (the same as when beds are added on the Houses tab). */
export const MAX_BEDS = 50;

function filled(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
