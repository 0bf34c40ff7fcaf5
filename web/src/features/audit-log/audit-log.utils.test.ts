import { expect, it } from 'vitest';
import en from '@/i18n/locales/en/audit-log.json';
import es from '@/i18n/locales/es/audit-log.json';
import { auditLogSearch } from './audit-log-search';
import { actorWithoutEmail, addressOf, detailsOf, knownRole, momentOf, plainAction, tabOf } from './audit-log.utils';

it('shows the first page of everything until something else is chosen, and takes no nonsense from an address', () => {
  const first = { tab: 'internal', page: 0, direction: 'asc' };
  expect(auditLogSearch.parse({})).toEqual(first);
  expect(auditLogSearch.parse({ tab: 'secret', page: -1, size: 7, dense: 'no', from: 'yesterday' })).toEqual(first);
  expect(auditLogSearch.parse({ tab: 'guests', page: 3, size: 100 })).toMatchObject({
    tab: 'guests',
    page: 3,
    size: 100,
  });
});

it('takes from an address what can be searched for alone', () => {
  const good = {
    organization: '0198a5c0-7b1e-7c3a-9d2f-0242ac120002',
    person: 'intake@demo.example',
    from: '2028-02-29',
    to: '2028-03-01',
  };
  expect(auditLogSearch.parse(good)).toMatchObject(good);
  const bad = { organization: 'xx', site: 'yy', person: 'nobody', from: '2026-02-31', to: '9999-12-31' };
  expect(auditLogSearch.parse(bad)).toEqual(auditLogSearch.parse({}));
  const controls = { person: 'a\0b@c', guest: 'K7\u0007M2', action: '\u0001' };
  expect(auditLogSearch.parse(controls)).toEqual(auditLogSearch.parse({}));
});

it('names who did it where no one was signed in', () => {
  expect(actorWithoutEmail('job')).toBe('berth');
  expect(actorWithoutEmail('command line')).toBe('commandLine');
  expect(actorWithoutEmail('203.0.113.7')).toBe('nobody');
});

it('shows an address only where there was one', () => {
  expect(addressOf({ address: '203.0.113.7' })).toBe('203.0.113.7');
  expect(addressOf({ address: 'job' })).toBeUndefined();
  expect(addressOf({ address: '' })).toBeUndefined();
});

it('does not say the name of a thing twice', () => {
  expect(detailsOf({ summary: 'K7M2QX', objectName: 'K7M2QX' })).toBeUndefined();
  expect(detailsOf({ summary: '', objectName: null })).toBeUndefined();
  expect(detailsOf({ summary: 'K7M2QX to bed Detox', objectName: 'K7M2QX' })).toBe('K7M2QX to bed Detox');
});

it('knows which list of the log somebody read', () => {
  expect(tabOf({ action: 'audit.viewed', summary: '', query: 'failed, page 2 of 10 rows each' })).toBe('failed');
  expect(tabOf({ action: 'audit.viewed', summary: 'failed', query: null })).toBe('failed');
  expect(tabOf({ action: 'audit.viewed', summary: 'another', query: null })).toBeUndefined();
  expect(tabOf({ action: 'guest.viewed', summary: 'failed', query: null })).toBeUndefined();
});

it('reads an action that has no word yet as well as it can', () => {
  expect(plainAction('coupon.made-up')).toBe('Coupon made up');
  expect(plainAction('')).toBe('');
});

it('knows the roles of the product and no others', () => {
  expect(knownRole('Intake')).toBe('Intake');
  expect(knownRole('Janitor')).toBeUndefined();
  expect(knownRole(null)).toBeUndefined();
});

it('tells day and time to the second in the zone of the reader, and the name of that zone', () => {
  expect(momentOf('2026-03-02T18:01:05.000Z', 'en', 'America/Los_Angeles')).toEqual({
    day: 'Mar 2, 2026',
    time: '10:01:05 AM',
  });
  expect(momentOf('2026-03-02T18:01:05.000Z', 'en', 'Europe/Madrid').time).toBe('7:01:05 PM');
});

it('has words for the same actions in both languages, and no code among them', () => {
  const words = (texts: typeof en.action | typeof es.action) =>
    Object.entries(texts).flatMap(([noun, verbs]) =>
      Object.entries(verbs).map(([verb, text]: [string, string]) => [`${noun}.${verb}`, text] as const),
    );
  expect(words(es.action).map(([action]) => action)).toEqual(words(en.action).map(([action]) => action));
  const codes = [...words(en.action), ...words(es.action)].filter(([, text]) => /[a-z]+\.[a-z]+|_/.test(text));
  expect(codes).toEqual([]);
});
