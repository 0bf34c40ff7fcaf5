/** The demo's accounts (DESIGN, section 9) and the phones that their codes go to. */
export const PASSWORD = 'Open-Door-2026';

export const ACCOUNTS = {
  global: { email: 'global@demo.example', phone: '+17145550101' },
  owner: { email: 'owner@demo.example', phone: '+17145550102' },
  ownerFree: { email: 'owner.free@demo.example', phone: '+17145550103' },
  admin: { email: 'admin@demo.example', phone: '+17145550104' },
  intake: { email: 'intake@demo.example', phone: '+17145550105' },
  staff: { email: 'staff@demo.example', phone: '+17145550106' },
} as const;

export type AccountName = keyof typeof ACCOUNTS;

/** The site where most accounts work. Commercial, with an active subscription. */
export const MAIN_SITE = 'Harbor Light Costa Mesa';
