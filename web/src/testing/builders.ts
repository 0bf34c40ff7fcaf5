import type { Schemas } from '@/api/client';
import { type CurrentUser, toCurrentUser } from '@/access/user';

/** User info of a signed-in person without any role; `fields` add what the test is about. */
export function userInfo(fields: Partial<Schemas['UserInfo']> = {}): Schemas['UserInfo'] {
  return {
    sub: '0190a000-0000-7000-8000-000000000001',
    email: 'intake@demo.example',
    phone_number: '+1******4567',
    has_external_login: false,
    has_password: true,
    has_phone_number: true,
    has_phone_number_confirmed: true,
    role_global: false,
    role_owner_organization_ids: '',
    role_admin_site_ids: '',
    role_intake_site_ids: '',
    role_staff_site_ids: '',
    stage: 'full',
    idle_minutes: 15,
    first_name: 'Ines',
    last_name: 'Moreno',
    owns_commercial: false,
    has_totp: false,
    recovery_codes_left: 0,
    pending_invitations: 0,
    language: 'en',
    views: {},
    ...fields,
  };
}

/** The same person as the app knows it. */
export function currentUser(fields: Partial<Schemas['UserInfo']> = {}): CurrentUser {
  return toCurrentUser(userInfo(fields));
}

/** What /api/public/settings says in the demo. */
export function publicSettings(fields: Partial<Schemas['PublicSettings']> = {}): Schemas['PublicSettings'] {
  return {
    movedAddress: 'https://admin.berth.example',
    supportPhone: '+15550101234',
    contactEmail: 'help@berth.example',
    foundation: 'The Alder Family Foundation',
    demo: true,
    stripePublishableKey: 'pk_test_sandbox_berth',
    testPayments: true,
    agreementsVersion: '2025-01-29',
    passwordRules: [],
    ...fields,
  };
}
