import { expect, it } from 'vitest';
import { currentUser } from '@/testing/builders';
import { foundGuest, foundSite, searchResults } from '@/testing/search-builders';
import { type Command, commandOf, groupsOf, itemId } from './palette.utils';

const NAMES = { accept: 'Accept', newGuest: 'New guest at', moveGuests: 'Move guests at' };
const SPANISH = { accept: 'Aceptar', newGuest: 'Nuevo huésped en', moveGuests: 'Mover huéspedes en' };
const site = foundSite();
const guest = foundGuest();
const intake = currentUser({ role_intake_site_ids: site.id });
const staff = currentUser({ role_staff_site_ids: site.id });

function lines(text: string, options: Partial<Parameters<typeof groupsOf>[0]> = {}): Record<string, string[]> {
  const command = commandOf(text, NAMES);
  const typed = { text, command, found: undefined, names: NAMES, pages: [], sites: [], user: intake, ...options };
  return Object.fromEntries(groupsOf(typed).map(({ key, items }) => [key, items.map(itemId)]));
}

it('the name of a command begins one, with or without its last word', () => {
  const cases: [string, Command | undefined][] = [
    ['accept', { kind: 'accept', rest: '' }],
    ['Accept Maria G', { kind: 'accept', rest: 'Maria G' }],
    ['new guest', { kind: 'newGuest', rest: '' }],
    ['New guest at Harbor House', { kind: 'newGuest', rest: 'Harbor House' }],
    ['move guests harbor', { kind: 'moveGuests', rest: 'harbor' }],
    ['acceptance', undefined],
    ['new harbor', undefined],
    ['new', undefined],
    ['', undefined],
  ];
  for (const [text, command] of cases) expect([text, commandOf(text, NAMES)]).toEqual([text, command]);
  expect(commandOf('nuevo huesped en Árbol', SPANISH)).toEqual({ kind: 'newGuest', rest: 'Árbol' });
});

it('what was found stands in groups, with commands for the sites', () => {
  const found = searchResults({ guests: [guest], sites: [site] });
  expect(lines('har', { found })).toEqual({
    guests: [`guest-${guest.id}`],
    sites: [`site-${site.id}`],
    actions: [`newGuest-${site.id}`, `moveGuests-${site.id}`],
  });
});

it('accept lists the pending guests whom the user may accept', () => {
  const elsewhere = foundGuest({ id: 'other', siteId: 'other' });
  const placed = foundGuest({ id: 'placed', status: 'accepted' });
  const found = searchResults({ guests: [placed, guest, elsewhere] });
  expect(lines('accept maria', { found })).toEqual({ actions: [`accept-${guest.id}`] });
  expect(lines('accept maria', { found, user: staff })).toEqual({});
  const owner = currentUser({ role_owner_organization_ids: guest.organizationId });
  expect(lines('accept maria', { found, user: owner })).toEqual({ actions: [`accept-${guest.id}`, 'accept-other'] });
});

it('a command without a text offers the own sites, one with a text those that were found', () => {
  const other = foundSite({ id: 'other', name: 'Other' });
  const sites = [other, site];
  expect(lines('new guest at', { sites })).toEqual({ actions: [`newGuest-${site.id}`] });
  expect(lines('move guests at har', { sites, found: searchResults({ sites: [site, other] }) })).toEqual({
    actions: [`moveGuests-${site.id}`],
  });
});

it('the beginning of a name offers the command, and an empty text all of them; to staff none', () => {
  expect(lines('acc')).toEqual({ actions: ['command-accept'] });
  expect(lines('')).toEqual({ actions: ['command-accept', 'command-newGuest', 'command-moveGuests'] });
  expect(lines('', { user: staff })).toEqual({});
  const found = searchResults({ sites: [site] });
  expect(lines('har', { user: staff, found })).toEqual({ sites: [`site-${site.id}`] });
});

it('pages are found by their words', () => {
  const pages = [
    { label: 'Audit Log', path: '/logs' },
    { label: 'History', path: '/history' },
  ];
  expect(lines('lo', { pages, user: staff })).toEqual({ pages: ['page-/logs'] });
  expect(lines('', { pages, user: staff })).toEqual({ pages: ['page-/logs', 'page-/history'] });
});
