/** Of every account of the demo. */
export const PASSWORD = 'Open-Door-2026';

/**
 * Accounts of the demo (DESIGN, section 9, and some of its other people) and the phones that their codes go to. A phone
 * gets a code every 30 seconds at most: tests that sign in by themselves use an account that no other test uses.
 */
export const ACCOUNTS = {
  global: { email: 'global@demo.example', phone: '+17145550101' },
  owner: { email: 'owner@demo.example', phone: '+17145550102' },
  ownerFree: { email: 'owner.free@demo.example', phone: '+17145550103' },
  admin: { email: 'admin@demo.example', phone: '+17145550104' },
  intake: { email: 'intake@demo.example', phone: '+17145550105' },
  otherIntake: { email: 'tom.becker@harborlight.example', phone: '+17145550115' },
  otherOwner: { email: 'frank.hale@harborlight.example', phone: '+17145550111' },
  payingOwner: { email: 'marisol.vega@sierravista.example', phone: '+17145550112' },
  payingAdmin: { email: 'priya.raman@sierravista.example', phone: '+17145550114' },
  staff: { email: 'staff@demo.example', phone: '+17145550106' },
  otherStaff: { email: 'hana.kim@harborlight.example', phone: '+17145550117' },
  freeIntake: { email: 'ruth.okafor@opendoor.example', phone: '+17145550116' },
} as const;

export type AccountName = keyof typeof ACCOUNTS;

/** The site where most accounts work. Commercial, with an active subscription. */
export const MAIN_SITE = 'Harbor Light Costa Mesa';
/** The site of the demo where people wait for a bed. */
export const WAITLIST_SITE = 'Open Door Houses';

/** A site of the organization of `payingOwner` and `payingAdmin`, whose first payment was declined. It has no card. */
export const UNPAID_SITE = 'Sierra Vista Long Beach';

/** Another site of the same organization, commercial too, on trial. */
export const OTHER_SITE = 'Harbor Light Laguna Beach';
