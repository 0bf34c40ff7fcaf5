import { type CurrentUser, hasRole } from './user';

/** What a site must tell so that a right at it can be judged. */
export interface SiteSubject {
  id: string;
  organizationId: string;
  isCommercial: boolean;
}
/** What an organization must tell so that a right at it can be judged. */
export interface OrganizationSubject {
  id: string;
  isCommercial: boolean;
}
/** The object of an action; actions that concern the whole product need none. */
export interface Subject {
  site?: SiteSubject;
  organization?: OrganizationSubject;
}

type Rule = (user: CurrentUser, subject: Subject) => boolean;

const isGlobal: Rule = (user) => user.isGlobal;
const isOwner: Rule = (user, { site, organization }) =>
  user.ownerOrganizationIds.has(site?.organizationId ?? organization?.id ?? '');
const isAdmin: Rule = (user, { site }) => site !== undefined && user.adminSiteIds.has(site.id);
const isIntake: Rule = (user, { site }) => site !== undefined && user.intakeSiteIds.has(site.id);
const isStaff: Rule = (user, { site }) => site !== undefined && user.staffSiteIds.has(site.id);
const isCommercial: Rule = (_user, { site, organization }) => (site ?? organization)?.isCommercial === true;

const any =
  (...rules: Rule[]): Rule =>
  (user, subject) =>
    rules.some((rule) => rule(user, subject));
const all =
  (...rules: Rule[]): Rule =>
  (user, subject) =>
    rules.every((rule) => rule(user, subject));

const managesOrganization = any(isGlobal, isOwner);
const managesSite = any(isGlobal, isOwner, isAdmin);
const worksAtSite = any(isGlobal, isOwner, isAdmin, isIntake, isStaff);
const placesGuests = any(isGlobal, isOwner, isAdmin, isIntake);

/**
 * Who may do what: the table of DESIGN section 4, the same as `domain/policy.rs`. The server enforces it; the web app
 * only hides what would be refused.
 */
const RULES = {
  'dashboard.view': isGlobal,
  'overview.view': isGlobal,
  'auditLog.view': isGlobal,
  'auditLog.viewOrganization': managesOrganization,
  /** The screen: global admins see all of it, owners that of their organizations. */
  'auditLog.open': (user) => user.isGlobal || user.ownerOrganizationIds.size > 0,
  'accessUsers.viewAll': isGlobal,
  'insurers.edit': isGlobal,
  'insurers.list': hasRole,
  'organization.create': isGlobal,
  'organization.toggleVisibility': isGlobal,
  /** The server leaves out organizations a user has no role in; there is nothing left to judge here. */
  'organization.view': hasRole,
  'organization.edit': managesOrganization,
  'organization.delete': managesOrganization,
  'organization.manageOwners': managesOrganization,
  'organization.linkInsurers': all(isCommercial, managesOrganization),
  'site.create': managesOrganization,
  'site.delete': managesOrganization,
  'site.view': worksAtSite,
  'site.edit': managesSite,
  'site.manageUsers': managesSite,
  'houses.edit': (user, subject) =>
    isCommercial(user, subject) ? managesOrganization(user, subject) : any(managesSite, isStaff)(user, subject),
  'guest.view': worksAtSite,
  /** Phone, email, policy and group number, insurance cards: the server omits them for staff. */
  'guest.viewContacts': placesGuests,
  'guest.add': placesGuests,
  'guest.accept': placesGuests,
  'guest.decline': placesGuests,
  'guest.reassign': placesGuests,
  'guest.swap': placesGuests,
  'guest.discharge': placesGuests,
  /** A decline or discharge of the last 24 hours; whoever decided has 10 seconds without this right. */
  'guest.undo': managesSite,
  /** Two reservations of one person. */
  'guest.merge': managesSite,
  /** A third active reservation of one person (DESIGN section 3). */
  'guest.allowThird': managesSite,
  /** A walk-in while reservations hold every vacant bed. */
  'guest.addOverCapacity': managesSite,
  /** A placement against the rules of a strict site, with a reason (docs/decisions/0068). */
  'guest.overridePlacement': managesSite,
  /** Those of a site for its admins too; those of an organization for its owners. */
  'numbers.view': managesSite,
  'billing.manage': all(isCommercial, managesOrganization),
  /** The screens of one organization; a non-commercial one has nothing to pay, and says so. */
  'billing.open': managesOrganization,
  'billing.sidebar': (user) => user.ownerOrganizationIds.size > 0 && user.ownsCommercial,
} satisfies Record<string, Rule>;

/** Something a user may or may not do. */
export type Action = keyof typeof RULES;

/** Every action, for the tests that walk the whole matrix. @internal */
export const ACTIONS = Object.keys(RULES) as Action[];

/** Whether the user may do this to that object. */
export function can(user: CurrentUser, action: Action, subject: Subject = {}): boolean {
  return RULES[action](user, subject);
}
