import { describe, expect, it } from 'vitest';
import {
  organizationKindRedirect,
  organizationTypeFor,
  organizationTypeRedirect,
  parseOrganizationType,
} from './organization-types';

describe('parseOrganizationType', () => {
  it('knows the three types and no other word', () => {
    expect(parseOrganizationType('free-rehabs')).toBe('free-rehabs');
    expect(parseOrganizationType('Free-Rehabs')).toBeUndefined();
    expect(parseOrganizationType('nonsense')).toBeUndefined();
  });
});

describe('organizationTypeFor', () => {
  it('sorts by kind for global admins only', () => {
    expect(organizationTypeFor(true, true)).toBe('paid-rehabs');
    expect(organizationTypeFor(true, false)).toBe('free-rehabs');
    expect(organizationTypeFor(false, true)).toBe('organizations');
  });
});

describe('organizationTypeRedirect', () => {
  it('moves others than global admins to the same path below organizations', () => {
    expect(organizationTypeRedirect('/free-rehabs', false)).toBe('/organizations');
    expect(organizationTypeRedirect('/paid-rehabs/1/2?tab=guests', false)).toBe('/organizations/1/2?tab=guests');
  });
  it('lets global admins and the own list be', () => {
    expect(organizationTypeRedirect('/paid-rehabs/1', true)).toBeUndefined();
    expect(organizationTypeRedirect('/organizations/1', false)).toBeUndefined();
  });
  it('sends unknown types to the organizations list', () => {
    expect(organizationTypeRedirect('/nonsense/1', true)).toBe('/organizations');
  });
});

describe('organizationKindRedirect', () => {
  it('leads from the list of the other kind to the own one, with what follows', () => {
    expect(organizationKindRedirect('/free-rehabs/1', true)).toBe('/paid-rehabs/1');
    expect(organizationKindRedirect('/paid-rehabs/1/2?tab=guests#x', false)).toBe('/free-rehabs/1/2?tab=guests#x');
  });
  it('lets the own list and that of both kinds be', () => {
    expect(organizationKindRedirect('/paid-rehabs/1', true)).toBeUndefined();
    expect(organizationKindRedirect('/free-rehabs/1', false)).toBeUndefined();
    expect(organizationKindRedirect('/organizations/1', true)).toBeUndefined();
  });
});
