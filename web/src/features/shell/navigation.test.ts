import { expect, it } from 'vitest';
import { currentUser } from '@/testing/builders';
import { navigationOf } from './navigation';

const keys = (info: Parameters<typeof currentUser>[0]) => navigationOf(currentUser(info)).map(({ key }) => key);

it('shows a global admin both lists, others their organizations', () => {
  expect(keys({ role_global: true })).toEqual([
    'nonCommercial',
    'commercial',
    'dashboard',
    'insurers',
    'auditLog',
    'reservations',
    'users',
  ]);
  expect(keys({ role_owner_organization_ids: 'o' })).toEqual(['organizations', 'reservations', 'users']);
  expect(keys({ role_admin_site_ids: 's' })).toEqual(['organizations', 'reservations', 'users']);
  expect(keys({ role_staff_site_ids: 's' })).toEqual(['organizations', 'reservations']);
});

it('shows no reservations to someone without any role', () => {
  expect(keys({})).toEqual(['organizations']);
});
