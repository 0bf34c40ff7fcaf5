import type { Schemas } from '@/api/client';

/** The signed-in person, derived from `/connect/userinfo`; roles are stored nowhere else (guide web, section 5). */
export interface CurrentUser {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  /** As the server gives it: masked or whole; empty when there is none. */
  phone: string;
  /** `first_step`: only the sign-in screens are open; `full`: signed in. */
  stage: 'first_step' | 'full';
  hasPassword: boolean;
  hasExternalLogin: boolean;
  hasPhone: boolean;
  isGlobal: boolean;
  ownsCommercial: boolean;
  ownerOrganizationIds: ReadonlySet<string>;
  adminSiteIds: ReadonlySet<string>;
  intakeSiteIds: ReadonlySet<string>;
  staffSiteIds: ReadonlySet<string>;
  /** Minutes without a sign of the user after which the server ends the session (5 to 60). */
  idleMinutes: number;
  /** Whether an authenticator app gives codes; text messages stay the default. */
  hasTotp: boolean;
  recoveryCodesLeft: number;
  /** Invitations that wait for an answer. */
  pendingInvitations: number;
  /** Of mails; English unless chosen. */
  language: 'en' | 'es';
  /** What the user chose last on any device; see `readView`. */
  views: Readonly<Record<string, string>>;
}

/** The user info of the server with its comma lists taken apart. */
export function toCurrentUser(info: Schemas['UserInfo']): CurrentUser {
  return {
    id: info.sub,
    email: info.email,
    firstName: info.first_name,
    lastName: info.last_name,
    phone: info.phone_number,
    stage: info.stage,
    hasPassword: info.has_password,
    hasExternalLogin: info.has_external_login,
    hasPhone: info.has_phone_number,
    isGlobal: info.role_global,
    ownsCommercial: info.owns_commercial,
    ownerOrganizationIds: idSet(info.role_owner_organization_ids),
    adminSiteIds: idSet(info.role_admin_site_ids),
    intakeSiteIds: idSet(info.role_intake_site_ids),
    staffSiteIds: idSet(info.role_staff_site_ids),
    idleMinutes: info.idle_minutes,
    hasTotp: info.has_totp,
    recoveryCodesLeft: info.recovery_codes_left,
    pendingInvitations: info.pending_invitations,
    language: info.language === 'es' ? 'es' : 'en',
    views: info.views,
  };
}

function idSet(list: string): ReadonlySet<string> {
  return new Set(
    list
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  );
}

/** Where the sign-in sequence goes on (spec A section 4). */
export function nextSignInStep(
  user: CurrentUser,
): '/create-password' | '/two-factor-confirm' | '/two-factor-setup' | '/' {
  if (user.stage === 'full') return '/';
  if (!user.hasExternalLogin && !user.hasPassword) return '/create-password';
  return user.hasPhone ? '/two-factor-confirm' : '/two-factor-setup';
}

/** Returns true if the user has a role anywhere; somebody who is only invited has none. */
export function hasRole(user: CurrentUser): boolean {
  const places = [user.ownerOrganizationIds, user.adminSiteIds, user.intakeSiteIds, user.staffSiteIds];
  return user.isGlobal || places.some((ids) => ids.size > 0);
}
