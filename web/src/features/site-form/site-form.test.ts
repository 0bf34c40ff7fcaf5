import { describe, expect, it } from 'vitest';
import { ALL_DAY } from '@/lib/time';
import { descriptionState } from './description.utils';
import { withEnabled } from './intake.utils';
import {
  emptyRoom,
  emptySite,
  readSiteForm,
  type SiteFormKind,
  type SiteFormValues,
  siteFormSchema,
} from './site-form.schema';
import { withCount } from './site-payload.utils';

const FREE: SiteFormKind = { isCommercial: false, isNew: true };
const PAID: SiteFormKind = { isCommercial: true, isNew: true };

/** A form that is right in every field. */
function filled(kind: SiteFormKind, fields: Partial<SiteFormValues> = {}): SiteFormValues {
  const empty = emptySite(kind, 'House #1');
  const house = emptyRoom('House #1');
  return {
    ...empty,
    name: 'Harbor House',
    description: 'A quiet place. '.repeat(8),
    images: kind.isCommercial ? ['uploads/site_1.jpg'] : [],
    address: '1 Main St, Santa Ana, CA',
    placeId: 'p1',
    contactPhone: '+17145550134',
    contactEmail: 'front@harbor.example',
    adminFirstName: 'Ada',
    adminLastName: 'Moreno',
    adminEmail: 'ada@harbor.example',
    intakePeriods: empty.intakePeriods.map((period) => withEnabled(period, true)),
    rooms: kind.isCommercial ? [] : [{ ...house, beds: withCount(house.beds, 'Detox', 2) }],
    serviceIds: ['medical-detox'],
    languageIds: ['en'],
    screeningPeriod: '01:00:00:00',
    ...fields,
  };
}

/** What is wrong, by field: `{ name: 'required' }`. */
function faults(kind: SiteFormKind, fields: Partial<SiteFormValues>): Record<string, string> {
  const read = siteFormSchema(kind).safeParse(filled(kind, fields));
  if (read.success) return {};
  return Object.fromEntries(
    read.error.issues.map(({ path, message }) => [path.join('.'), message.replace('site-form:invalid.', '')]),
  );
}

describe('the rules of a site', () => {
  it('are satisfied by a filled form', () => {
    expect(faults(FREE, {})).toEqual({});
    expect(faults(PAID, {})).toEqual({});
  });

  it('name everything that is missing at once', () => {
    const read = siteFormSchema(FREE).safeParse(emptySite(FREE, 'House #1'));
    expect(
      read.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message.replace('site-form:invalid.', '')}`),
    ).toEqual([
      'name: required',
      'description: required',
      'contactPhone: required',
      'contactEmail: required',
      'adminFirstName: required',
      'adminLastName: required',
      'adminEmail: required',
      'intakePeriods: intakeNone',
      'rooms.0.beds: bed',
      'serviceIds: service',
      'languageIds: required',
      'screeningPeriod: required',
      'address: address',
    ]);
  });

  it.each<[string, Partial<SiteFormValues>, Record<string, string>]>([
    ['a name of blanks is none', { name: '  ' }, { name: 'required' }],
    ['an alias has 3 characters', { alias: 'ab' }, { alias: 'alias' }],
    ['or is left out', { alias: '' }, {}],
    ['a description has 80 characters', { description: 'x'.repeat(79) }, { description: 'description' }],
    ['80 are enough', { description: 'x'.repeat(80) }, {}],
    ['blanks around do not count', { description: ` ${'x'.repeat(79)} ` }, { description: 'description' }],
    ['more than 2000 are no error', { description: 'x'.repeat(2001) }, {}],
    ['an address is chosen', { address: '', placeId: '' }, { address: 'address' }],
    ['not only typed', { address: '2 Main St', placeId: '' }, { address: 'address' }],
    ['a phone has 10 digits', { contactPhone: '+1714555' }, { contactPhone: 'phone' }],
    ['a web address may be left out', { contactWeb: '' }, {}],
    ['with its scheme', { contactWeb: 'https://harbor.example/about?x=1' }, {}],
    ['or without', { contactWeb: 'www.harbor.example' }, {}],
    ['it has a host', { contactWeb: 'harbor' }, { contactWeb: 'web' }],
    ['no blanks', { contactWeb: 'harbor example.com' }, { contactWeb: 'web' }],
    ['no other scheme', { contactWeb: 'ftp://harbor.example' }, { contactWeb: 'web' }],
    ['and can be read', { contactWeb: 'https://' }, { contactWeb: 'web' }],
    ['an email is one', { contactEmail: 'front@' }, { contactEmail: 'email' }],
    ['also that of the admin', { adminEmail: 'ada' }, { adminEmail: 'email' }],
    [
      'a house has a name',
      { rooms: [{ ...emptyRoom(' '), beds: [{ type: 'Detox', count: 1 }] }] },
      { 'rooms.0.name': 'required' },
    ],
    ['and a bed', { rooms: [emptyRoom('A')] }, { 'rooms.0.beds': 'bed' }],
    ['there is a house', { rooms: [] }, { rooms: 'room' }],
    ['a screening period has a length', { screeningPeriod: '00:00:00:00' }, { screeningPeriod: 'screening' }],
    ['and the form dd:hh:mm:ss', { screeningPeriod: '24:00' }, { screeningPeriod: 'screening' }],
    ['a longest stay may be left out', { lengthOfStayDaysMax: ' ' }, {}],
    ['or is at most 3650 days', { lengthOfStayDaysMax: '3650' }, {}],
    ['and not more', { lengthOfStayDaysMax: '3651' }, { lengthOfStayDaysMax: 'days' }],
    ['at least one', { lengthOfStayDaysMax: '0' }, { lengthOfStayDaysMax: 'days' }],
    ['and a whole number', { lengthOfStayDaysMax: '1.5' }, { lengthOfStayDaysMax: 'days' }],
  ])('%s', (_name, fields, expected) => expect(faults(FREE, fields)).toEqual(expected));

  it('ask commercial sites for a photo and for no houses', () => {
    expect(faults(PAID, { images: [] })).toEqual({ images: 'photo' });
    expect(faults(PAID, { rooms: [] })).toEqual({});
    expect(faults(FREE, { images: [] })).toEqual({});
  });

  it('ask the edit page for neither admin nor houses', () => {
    const nothing = { adminEmail: '', adminFirstName: '', adminLastName: '', rooms: [] };
    expect(faults({ isCommercial: false, isNew: false }, nothing)).toEqual({});
    expect(faults({ isCommercial: true, isNew: false }, nothing)).toEqual({});
  });

  it('are content with the stored address, and only with that', () => {
    const kind = { isCommercial: false, isNew: false, storedAddress: '1 Main St' };
    expect(faults(kind, { address: '1 Main St', placeId: '' })).toEqual({});
    expect(faults(kind, { address: '1 Main Str', placeId: '' })).toEqual({ address: 'address' });
    expect(faults(kind, { address: '2 Main St', placeId: 'p2' })).toEqual({});
  });

  it('point at the select of the intake hours that is wrong', () => {
    const [monday, weekends, holidays] = filled(FREE).intakePeriods;
    if (!monday || !weekends || !holidays) throw new Error('There are three groups of days.');
    const intakePeriods = [
      { ...monday, to: '' },
      { ...weekends, from: ALL_DAY },
      { ...holidays, from: '18:00:00' },
    ];
    expect(faults(FREE, { intakePeriods })).toEqual({
      'intakePeriods.0.to': 'intakeBoth',
      'intakePeriods.1.to': 'intakeAllDay',
      'intakePeriods.2.to': 'intakeOrder',
    });
  });
});

describe('the counter of the description', () => {
  it.each([
    ['', { kind: 'short', length: 0, missing: 80 }],
    ['x'.repeat(79), { kind: 'short', length: 79, missing: 1 }],
    ['x'.repeat(80), { kind: 'good', length: 80 }],
    ['x'.repeat(2000), { kind: 'good', length: 2000 }],
    ['x'.repeat(2003), { kind: 'long', length: 2003, over: 3 }],
    ['👍'.repeat(80), { kind: 'good', length: 80 }],
  ])('%#', (text, state) => expect(descriptionState(text)).toEqual(state));
});

describe('a draft', () => {
  it('comes back as it was, also when it is not filled', () => {
    for (const values of [filled(FREE), filled(PAID), emptySite(FREE, 'House #1')]) {
      expect(readSiteForm(JSON.parse(JSON.stringify(values)))).toEqual(values);
    }
  });

  it.each([[null], ['text'], [{}], [{ ...filled(FREE), rooms: [{}] }], [{ ...filled(FREE), intakePeriods: [] }]])(
    'of another shape is none (%#)',
    (stored) => expect(readSiteForm(stored)).toBeUndefined(),
  );
});
