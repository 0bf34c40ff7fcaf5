import type { Schemas } from '@/api/client';
import type { TableState } from '@/components/data-table/data-table.types';
import { dateFormat } from '@/lib/date-formats';
import { AUDIT_TABS } from './audit-log-search';

export type TrailEntry = Schemas['TrailEntry'];
export type FailedLogin = Schemas['FailedLogin'];
export type GuestCreation = Schemas['GuestCreation'];
export type SetPassword = Schemas['SetPassword'];

export type AuditTab = (typeof AUDIT_TABS)[number];

/** What the address remembers of the audit log. */
export interface AuditLogSearch extends TableState {
  tab: AuditTab;
}

/** A page of a list; pages count from 0. */
export interface AuditPage {
  page: number;
  size: number;
}

/** What the screen knows a role by; a trail is old, and may tell of others. */
const ROLES = ['GlobalAdmin', 'Owner', 'Admin', 'Intake', 'Staff'] as const;

/** A role of a row, if it is one that has a word. */
export function knownRole(role: string | null): (typeof ROLES)[number] | undefined {
  return ROLES.find((known) => known === role);
}

/** Who did it, where no one was signed in. */
export function actorWithoutEmail(address: string): 'berth' | 'commandLine' | 'nobody' {
  if (address === 'job') return 'berth';
  return address === 'command line' ? 'commandLine' : 'nobody';
}

/** The address of a row, where there was one. */
export function addressOf({ address }: Pick<TrailEntry, 'address'>): string | undefined {
  return actorWithoutEmail(address) === 'nobody' && address !== '' ? address : undefined;
}

/** A tab that a row of the trail is about: who read the log looked at a list of it. */
export function tabOf({ action, summary }: Pick<TrailEntry, 'action' | 'summary'>): AuditTab | undefined {
  return action === 'audit.viewed' ? AUDIT_TABS.find((tab) => tab === summary) : undefined;
}

/** What a row tells beside its action and its object; nothing when it is the object's name once more. */
export function detailsOf({ summary, objectName }: Pick<TrailEntry, 'summary' | 'objectName'>): string | undefined {
  return summary === '' || summary === objectName ? undefined : summary;
}

/** An action that this version has no word for, as well as it can be read: `coupon.made-up` → "Coupon made up". */
export function plainAction(action: string): string {
  const words = action.replaceAll(/[.-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Day and time to the second, in the zone of whoever reads. */
export function momentOf(instant: string, language: string, timeZone?: string): { day: string; time: string } {
  const date = new Date(instant);
  return {
    day: dateFormat(language, { dateStyle: 'medium', timeZone }).format(date),
    time: dateFormat(language, { timeStyle: 'medium', hour12: true, timeZone }).format(date),
  };
}

/** How the zone of whoever reads is called, e.g. "Pacific Standard Time". */
export function zoneName(language: string, now: Date): string {
  const parts = dateFormat(language, { timeZoneName: 'long' }).formatToParts(now);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
