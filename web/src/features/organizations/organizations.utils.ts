import type { Schemas } from '@/api/client';

type Organization = Schemas['Organization'];

/** What stands over a list of organizations. */
export type OrganizationDialog =
  | { kind: 'create' }
  | { kind: 'overview' }
  | { kind: 'edit'; organization: Organization }
  | { kind: 'delete'; organization: Organization };

/** What stands over the page of an organization. */
export type OrganizationPageDialog =
  | { kind: 'owners' }
  | { kind: 'reasons' }
  | { kind: 'edit' }
  | { kind: 'delete' }
  | { kind: 'delete-site'; site: Schemas['SiteSummary'] };

/** The ways to pay that an organization may accept (spec A section 3). */
export const METHODS = [1, 2, 3] as const;

/**
 * The payload that changes only the insurers of an organization. A logo that is not there is left out: the server
 * would take a null for its removal.
 */
export function withInsurers(organization: Organization, insuranceCompanyIds: string[]) {
  const { id, name, version, reservationPaymentMethods } = organization;
  return {
    id,
    name,
    version,
    insuranceCompanyIds,
    reservationPaymentMethodIds: reservationPaymentMethods.map((method) => method.id),
  };
}
