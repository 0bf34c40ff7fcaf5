import { describe, expect, it } from 'vitest';
import { currentUser } from '@/testing/builders';
import { type Action, ACTIONS, can } from './can';

/** G global admin, O owner, A site admin, I intake, S staff: DESIGN section 4. */
type Role = 'G' | 'O' | 'A' | 'I' | 'S';
const OWN = { organization: 'o-1', site: 's-1' };
const OTHER = { organization: 'o-2', site: 's-2' };

const USERS = {
  G: currentUser({ role_global: true }),
  O: currentUser({ role_owner_organization_ids: OWN.organization, owns_commercial: true }),
  A: currentUser({ role_admin_site_ids: OWN.site }),
  I: currentUser({ role_intake_site_ids: OWN.site }),
  S: currentUser({ role_staff_site_ids: OWN.site }),
};

/** Who may do it: at an own non-commercial object, at an own commercial one; elsewhere only `elsewhere`. */
interface Row {
  free: string;
  paid: string;
  elsewhere: string;
}
const same = (roles: string, elsewhere = 'G'): Row => ({ free: roles, paid: roles, elsewhere });

const TABLE: Record<Action, Row> = {
  'dashboard.view': same('G'),
  'overview.view': same('G'),
  'auditLog.view': same('G'),
  'auditLog.viewOrganization': same('GO'),
  'auditLog.open': same('GO', 'GO'),
  'accessUsers.viewAll': same('G'),
  'insurers.edit': same('G'),
  'insurers.list': same('GOAIS', 'GOAIS'),
  'organization.create': same('G'),
  'organization.toggleVisibility': same('G'),
  'organization.view': same('GOAIS', 'GOAIS'),
  'organization.edit': same('GO'),
  'organization.delete': same('GO'),
  'organization.manageOwners': same('GO'),
  'organization.linkInsurers': { free: '', paid: 'GO', elsewhere: 'paid:G' },
  'site.create': same('GO'),
  'site.delete': same('GO'),
  'site.view': same('GOAIS'),
  'site.edit': same('GOA'),
  'site.manageUsers': same('GOA'),
  'houses.edit': { free: 'GOAS', paid: 'GO', elsewhere: 'G' },
  'guest.view': same('GOAIS'),
  'guest.viewContacts': same('GOAI'),
  'guest.add': same('GOAI'),
  'guest.accept': same('GOAI'),
  'guest.decline': same('GOAI'),
  'guest.reassign': same('GOAI'),
  'guest.swap': same('GOAI'),
  'guest.discharge': same('GOAI'),
  'guest.undo': same('GOA'),
  'guest.merge': same('GOA'),
  'guest.allowThird': same('GOA'),
  'guest.addOverCapacity': same('GOA'),
  'guest.overridePlacement': same('GOA'),
  'numbers.view': same('GOA'),
  'billing.manage': { free: '', paid: 'GO', elsewhere: 'paid:G' },
  'billing.open': same('GO'),
  'billing.sidebar': same('O', 'O'),
};

function allowed(row: Row, role: Role, isCommercial: boolean, isOwn: boolean): boolean {
  if (isOwn) return (isCommercial ? row.paid : row.free).includes(role);
  if (row.elsewhere.startsWith('paid:')) return isCommercial && row.elsewhere.slice(5).includes(role);
  return row.elsewhere.includes(role);
}

describe('who may do what', () => {
  for (const action of ACTIONS) {
    for (const role of Object.keys(USERS) as Role[]) {
      for (const isCommercial of [false, true]) {
        for (const isOwn of [true, false]) {
          const expected = allowed(TABLE[action], role, isCommercial, isOwn);
          const place = `${isOwn ? 'own' : 'other'} ${isCommercial ? 'commercial' : 'non-commercial'}`;
          it(`${role} ${expected ? 'may' : 'may not'} ${action} at an ${place} site`, () => {
            const { organization, site } = isOwn ? OWN : OTHER;
            const subject = {
              organization: { id: organization, isCommercial },
              site: { id: site, organizationId: organization, isCommercial },
            };
            expect(can(USERS[role], action, subject)).toBe(expected);
          });
        }
      }
    }
  }

  it('someone without any role may do nothing', () => {
    const nobody = currentUser();
    const site = { id: OWN.site, organizationId: OWN.organization, isCommercial: false };
    expect(ACTIONS.filter((action) => can(nobody, action, { site }))).toEqual([]);
  });

  it('the numbers of an organization are not for the admins of its sites', () => {
    const organization = { id: OWN.organization, isCommercial: true };
    const viewers = (['G', 'O', 'A', 'I', 'S'] as const).filter((role) =>
      can(USERS[role], 'numbers.view', { organization }),
    );
    expect(viewers).toEqual(['G', 'O']);
  });

  it('without an object, only what concerns the whole product is open to the global admin alone', () => {
    expect(can(USERS.O, 'site.edit')).toBe(false);
    expect(can(USERS.A, 'guest.accept')).toBe(false);
    expect(can(USERS.G, 'dashboard.view')).toBe(true);
  });
});
