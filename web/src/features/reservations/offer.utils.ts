import type { Schemas } from '@/api/client';

type Service = Schemas['Service'];
type Groups = Schemas['ServiceGroups'];
type Site = Pick<Schemas['SiteDetails'], 'services'>;

/** The choices of one group: those of the site first, the others apart. */
export interface Choices {
  served: readonly Service[];
  others: readonly Service[];
}

/**
 * Returns true if the site offers a service, or serves guests of an age, a gender or a type. A site that chose nothing
 * of a group serves all of it, as in the server's `SiteOffer`.
 */
export function isServed(site: Site, wanted: Pick<Service, 'id' | 'category'>): boolean {
  const chosen = site.services.filter(({ category }) => category === wanted.category);
  return chosen.length === 0 || chosen.some(({ id }) => id === wanted.id);
}

/** Divides a group into what the site serves and the others. */
export function choicesOf(site: Site, group: readonly Service[]): Choices {
  return {
    served: group.filter((service) => isServed(site, service)),
    others: group.filter((service) => !isServed(site, service)),
  };
}

/** The age group that a site for adults does not take. */
export const MINORS = 'age-under-18';
const GENDER_SERVICES: Record<string, string> = {
  Male: 'gender-male',
  Female: 'gender-female',
  Other: 'gender-other',
};

/** What a form asks for. */
export interface Wanted {
  gender: string;
  ageServiceId: string;
  serviceIds: readonly string[];
  typeOfClientServiceId: string;
}

/** What the form asks for and the site does not serve, in the order of the screen. */
export function notServed(site: Site & { isCommercial: boolean }, groups: Groups, wanted: Wanted): Service[] {
  const chosen = [
    ...groups.gender.filter(({ id }) => id === GENDER_SERVICES[wanted.gender]),
    ...groups.age.filter(({ id }) => id === wanted.ageServiceId),
    ...[...groups.general, ...groups.disability].filter(({ id }) => wanted.serviceIds.includes(id)),
    ...(site.isCommercial ? groups.client.filter(({ id }) => id === wanted.typeOfClientServiceId) : []),
  ];
  return chosen.filter((service) => !isServed(site, service));
}

/** The needs of a guest that the site does not serve. */
export function missingFor(
  site: Site,
  guest: Pick<Schemas['Guest'], 'gender' | 'age' | 'typeOfClient' | 'services'>,
): Service[] {
  const { gender, age, typeOfClient, services } = guest;
  const genderId = GENDER_SERVICES[gender];
  const asked: (Service | null)[] = [
    genderId === undefined ? null : { id: genderId, name: gender, category: 'Gender', type: null },
    age,
    typeOfClient,
    ...services,
  ];
  return asked.filter((service): service is Service => service !== null && !isServed(site, service));
}

/** The ways to pay of a commercial site; insurance only where there is an insurer to choose. */
export function paymentMethods(
  site: Pick<Schemas['SiteDetails'], 'organizationReservationPaymentMethods' | 'insuranceCompanies'>,
) {
  const hasInsurers = site.insuranceCompanies.length > 0;
  return site.organizationReservationPaymentMethods.filter(({ category }) => hasInsurers || category !== 'Insurance');
}
