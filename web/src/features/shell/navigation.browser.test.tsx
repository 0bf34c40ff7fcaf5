import { expect, it } from 'vitest';
import { APP_ROUTES } from '@/testing/app-routes';
import { currentUser } from '@/testing/builders';
import { navigationOf } from './navigation';

const keys = (info: Parameters<typeof currentUser>[0]) =>
  navigationOf(currentUser(info), APP_ROUTES).map(({ key }) => key);

it('leads with Today, and shows a global admin both lists, others their organizations', () => {
  expect(keys({ role_global: true })).toEqual([
    'today',
    'nonCommercial',
    'commercial',
    'dashboard',
    'allInsurers',
    'auditLog',
    'reservations',
    'history',
    'managedSites',
  ]);
  expect(keys({ role_owner_organization_ids: 'o' })).toEqual([
    'today',
    'organizations',
    'reservations',
    'history',
    'managedSites',
    'auditLog',
  ]);
  expect(keys({ role_admin_site_ids: 's' })).toEqual([
    'today',
    'organizations',
    'reservations',
    'history',
    'managedSites',
  ]);
  expect(keys({ role_staff_site_ids: 's' })).toEqual(['today', 'organizations', 'reservations', 'history']);
});

it('shows nothing to someone without any role: only an invitation can be answered', () => {
  expect(keys({})).toEqual([]);
});

it('shows the cards to owners of a commercial organization alone: those of the one in the address, else of the first', () => {
  const owner = currentUser({ role_owner_organization_ids: 'o1,o2', owns_commercial: true });
  const path = (organizationId?: string) =>
    navigationOf(owner, APP_ROUTES, organizationId).find(({ key }) => key === 'cards')?.path;
  expect(path()).toBe('/cards');
  expect(path('o2')).toBe('/cards/o2');
  expect(path('foreign')).toBe('/cards');
  expect(keys({ role_owner_organization_ids: 'o1', owns_commercial: false })).not.toContain('cards');
  expect(keys({ role_global: true })).not.toContain('cards');
});

it('shows billing to owners of a commercial organization alone', () => {
  const owner = currentUser({ role_owner_organization_ids: 'o1,o2', owns_commercial: true });
  const path = (organizationId?: string) =>
    navigationOf(owner, APP_ROUTES, organizationId).find(({ key }) => key === 'billing')?.path;
  expect(path()).toBe('/payment-details');
  expect(path('o2')).toBe('/payment-details/o2');
  expect(path('foreign')).toBe('/payment-details');
  expect(keys({ role_owner_organization_ids: 'o1', owns_commercial: false })).not.toContain('billing');
  expect(keys({ role_global: true })).not.toContain('billing');
});
