import { can } from '@/access/can';
import type { CurrentUser } from '@/access/user';
import type { Schemas } from '@/api/client';
import { fold } from '@/lib/text';
import { matchOf } from './match.utils';

/** What can be done from the search, by typing its name. */
export const COMMANDS = ['accept', 'newGuest', 'moveGuests'] as const;
export type CommandKind = (typeof COMMANDS)[number];

/** A command that was typed, and what is to be searched for it. */
export interface Command {
  kind: CommandKind;
  rest: string;
}

/** A screen that the sidebar leads to. */
export interface PageLink {
  label: string;
  path: string;
}

/** What a site must tell for its commands. */
export type CommandSite = Pick<
  Schemas['FoundSite'],
  'id' | 'name' | 'organizationId' | 'organizationName' | 'isCommercial'
>;

/** One line of the results. */
export type PaletteItem =
  | { kind: 'guest' | 'accept'; guest: Schemas['FoundGuest'] }
  | { kind: 'waiting'; person: Schemas['FoundWaitingGuest'] }
  | { kind: 'site'; site: Schemas['FoundSite'] }
  | { kind: 'newGuest' | 'moveGuests'; site: CommandSite }
  | { kind: 'organization'; organization: Schemas['FoundOrganization'] }
  | { kind: 'user'; user: Schemas['FoundUser'] }
  | { kind: 'page'; page: PageLink }
  /** Goes on with a command: its name is put into the field. */
  | { kind: 'command'; command: CommandKind };

export interface PaletteGroup {
  key: 'guests' | 'waiting' | 'sites' | 'organizations' | 'users' | 'actions' | 'pages';
  items: PaletteItem[];
}

/** Number of sites found whose commands are offered at once. */
const SITES_WITH_COMMANDS = 2;

/** Most lines of a command. */
const MAX_SITES = 8;

const NEEDED = { accept: 'guest.accept', newGuest: 'guest.add', moveGuests: 'guest.reassign' } as const;

/** Returns true if there may be a site where the user adds and places guests. */
export function placesGuests(user: CurrentUser): boolean {
  return (
    user.isGlobal || [user.ownerOrganizationIds, user.adminSiteIds, user.intakeSiteIds].some((ids) => ids.size > 0)
  );
}

/**
 * Returns the command that a text begins with: its first word if it is the only one, else at least two. "New Harbor" is
 * no command, since a site may have that name.
 */
export function commandOf(text: string, names: Record<CommandKind, string>): Command | undefined {
  const typed = fold(text).split(' ');
  for (const kind of COMMANDS) {
    const words = fold(names[kind]).split(' ');
    const different = words.findIndex((word, index) => word !== typed[index]);
    const count = different === -1 ? words.length : different;
    if (count >= Math.min(2, words.length)) {
      return { kind, rest: text.trim().split(/\s+/).slice(count).join(' ') };
    }
  }
  return undefined;
}

/** Returns the commands whose names begin with the text; all for an empty one. */
function offersOf(text: string, names: Record<CommandKind, string>): CommandKind[] {
  return COMMANDS.filter((kind) => fold(names[kind]).startsWith(fold(text)));
}

interface Typed {
  text: string;
  command: Command | undefined;
  /** The answer of the server, to this text or to the one before. */
  found: Schemas['SearchResults'] | undefined;
  names: Record<CommandKind, string>;
  pages: readonly PageLink[];
  /** The user's own sites, for commands without a text. */
  sites: readonly CommandSite[];
  user: CurrentUser;
}

/** Returns the lines to show, in groups that have some. */
export function groupsOf(typed: Typed): PaletteGroup[] {
  const groups = typed.command
    ? [{ key: 'actions' as const, items: commandItems(typed, typed.command) }]
    : allItems(typed);
  return groups.filter(({ items }) => items.length > 0);
}

function commandItems({ found, sites, user }: Typed, { kind, rest }: Command): PaletteItem[] {
  if (kind === 'accept') {
    const pending = (found?.guests ?? []).filter((guest) => guest.status === 'pending');
    return pending
      .filter((guest) => can(user, NEEDED.accept, { site: { ...guest, id: guest.siteId } }))
      .map((guest) => ({ kind, guest }));
  }
  const known: readonly CommandSite[] = rest === '' ? sites : (found?.sites ?? []);
  return known
    .filter((site) => can(user, NEEDED[kind], { site }))
    .slice(0, MAX_SITES)
    .map((site) => ({ kind, site }));
}

function allItems({ text, found, names, pages, user }: Typed): PaletteGroup[] {
  const isEmpty = fold(text) === '';
  const first = found?.sites.slice(0, SITES_WITH_COMMANDS) ?? [];
  const atSites = first.flatMap((site) =>
    (['newGuest', 'moveGuests'] as const)
      .filter((kind) => can(user, NEEDED[kind], { site }))
      .map((kind): PaletteItem => ({ kind, site })),
  );
  const offers = placesGuests(user) ? offersOf(text, names) : [];
  return [
    { key: 'guests', items: (found?.guests ?? []).map((guest) => ({ kind: 'guest', guest })) },
    { key: 'waiting', items: (found?.waiting ?? []).map((person) => ({ kind: 'waiting', person })) },
    { key: 'sites', items: (found?.sites ?? []).map((site) => ({ kind: 'site', site })) },
    {
      key: 'organizations',
      items: (found?.organizations ?? []).map((organization) => ({ kind: 'organization', organization })),
    },
    { key: 'users', items: (found?.users ?? []).map((person) => ({ kind: 'user', user: person })) },
    { key: 'actions', items: [...atSites, ...offers.map((command): PaletteItem => ({ kind: 'command', command }))] },
    {
      key: 'pages',
      items: pages
        .filter(({ label }) => isEmpty || matchOf(label, text) !== undefined)
        .map((page) => ({ kind: 'page', page })),
    },
  ];
}

/** Returns the id of a line, the same as long as it stands for the same. */
export function itemId(item: PaletteItem): string {
  switch (item.kind) {
    case 'guest':
    case 'accept':
      return `${item.kind}-${item.guest.id}`;
    case 'waiting':
      return `${item.kind}-${item.person.id}`;
    case 'site':
    case 'newGuest':
    case 'moveGuests':
      return `${item.kind}-${item.site.id}`;
    case 'organization':
      return `${item.kind}-${item.organization.id}`;
    case 'user':
      return `${item.kind}-${item.user.id}`;
    case 'page':
      return `${item.kind}-${item.page.path}`;
    case 'command':
      return `${item.kind}-${item.command}`;
  }
}
