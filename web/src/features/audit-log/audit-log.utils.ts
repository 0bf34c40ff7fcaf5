import type { Schemas } from '@/api/client';
import type { TableSearch } from '@/components/data-table/data-table.types';
import { dateFormat } from '@/lib/date-formats';
import { AUDIT_TABS } from './audit-log-search';

export type TrailEntry = Schemas['TrailEntry'];
export type FailedLogin = Schemas['FailedLogin'];
export type GuestCreation = Schemas['GuestCreation'];
export type SetPassword = Schemas['SetPassword'];

export type AuditTab = (typeof AUDIT_TABS)[number];

/** Which rows of the trail are asked for; all filters must fit. */
export interface TrailFilter {
  organization?: string | undefined;
  site?: string | undefined;
  person?: string | undefined;
  guest?: string | undefined;
  action?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** What the address remembers of the audit log. */
export interface AuditLogSearch extends TableSearch, TrailFilter {
  tab: AuditTab;
}

/** Midnight at the beginning of a day in the zone of whoever reads, or of the day after it. */
function midnightOf(day: string, after = false): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + (after ? 1 : 0)).toISOString();
}

/** The filters by the names of the call; those that are not set are left out. */
export function trailQueryOf({ organization, site, person, guest, action, from, to }: TrailFilter) {
  return {
    ...(organization === undefined ? {} : { organizationId: organization }),
    ...(site === undefined ? {} : { siteId: site }),
    ...(person === undefined ? {} : { person }),
    ...(guest === undefined ? {} : { guest }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined ? {} : { from: midnightOf(from) }),
    ...(to === undefined ? {} : { until: midnightOf(to, true) }),
  };
}

/** The address of the same rows as a file. */
export function trailFileOf(filter: TrailFilter): string {
  return `/api/EventLogs/internal.csv?${new URLSearchParams(trailQueryOf(filter)).toString()}`;
}

/** Whether anything but the organization narrows the list. */
export function isFiltered({ site, person, guest, action, from, to }: TrailFilter): boolean {
  return [site, person, guest, action, from, to].some((value) => value !== undefined);
}

/** Returns true if the last day is before the first one. */
export function isReversed({ from, to }: TrailFilter): boolean {
  return from !== undefined && to !== undefined && to < from;
}

/** Whether two filters let the same rows through. */
export function isSameFilter(one: TrailFilter, other: TrailFilter): boolean {
  return trailFileOf(one) === trailFileOf(other);
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

/** A tab that a row of the trail is about: who read the log looked at a list of it. Older rows have it in the sentence. */
export function tabOf({
  action,
  summary,
  query,
}: Pick<TrailEntry, 'action' | 'summary' | 'query'>): AuditTab | undefined {
  const told = query?.split(',')[0] ?? summary;
  return action === 'audit.viewed' ? AUDIT_TABS.find((tab) => tab === told) : undefined;
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
