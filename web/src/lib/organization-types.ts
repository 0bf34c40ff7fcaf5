/** The lists an organization stands in; the first part of many addresses (spec A section 2). */
const ORGANIZATION_TYPES = ['organizations', 'free-rehabs', 'paid-rehabs'] as const;

/** `free-rehabs` are non-commercial, `paid-rehabs` commercial; `organizations` are all the user has a role in. */
export type OrganizationType = (typeof ORGANIZATION_TYPES)[number];

/** The type that a part of an address names, undefined for any other word. */
export function parseOrganizationType(text: string): OrganizationType | undefined {
  return ORGANIZATION_TYPES.find((type) => type === text);
}

/** The list in which a user finds an organization: global admins by kind, all others in their own list. */
export function organizationTypeFor(isGlobal: boolean, isCommercial: boolean): OrganizationType {
  if (!isGlobal) return 'organizations';
  return isCommercial ? 'paid-rehabs' : 'free-rehabs';
}

/** Where an address with an organization type has to lead instead, if anywhere (spec A section 2, rules). */
export function organizationTypeRedirect(path: string, isGlobal: boolean): string | undefined {
  const type = parseOrganizationType(path.split(/[/?#]/)[1] ?? '');
  if (type === undefined) return '/organizations';
  if (isGlobal || type === 'organizations') return undefined;
  return path.replace(/^\/[^/?#]+/, '/organizations');
}

/** Where the address of an organization, or of a site of it, has to lead instead: the list of the other kind holds it not. */
export function organizationKindRedirect(path: string, isCommercial: boolean): string | undefined {
  const type = parseOrganizationType(path.split(/[/?#]/)[1] ?? '');
  const own = organizationTypeFor(true, isCommercial);
  if (type === undefined || type === 'organizations' || type === own) return undefined;
  return path.replace(/^\/[^/?#]+/, `/${own}`);
}
