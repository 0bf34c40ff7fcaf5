import { describe, expect, it } from 'vitest';
import { EMPTY_GUEST, type FormRules, newGuestSchema, type NewGuestValues, toNewGuest } from './new-guest.schema';

const free: FormRules = {
  isCommercial: false,
  generalServiceIds: new Set(['detox', 'prenatal']),
  insuranceMethodIds: new Set(['2']),
  servesAll: ({ ageServiceId }) => ageServiceId !== 'age-under-18',
  asksReason: false,
};
const paid: FormRules = { ...free, isCommercial: true };
const filled: NewGuestValues = {
  ...EMPTY_GUEST,
  firstName: ' Anna ',
  lastName: 'k',
  gender: 'Female',
  ageServiceId: 'age-18-26',
  phone: '+17145550134',
  email: 'anna@mail.example',
  serviceIds: ['detox', 'hearing-impaired'],
};
const commercial: NewGuestValues = {
  ...filled,
  typeOfClientServiceId: 'adults',
  paymentMethod: '2',
  insuranceCompanyId: 'i1',
};

function wrong(values: NewGuestValues, rules = free): Record<string, string> {
  const result = newGuestSchema(rules).safeParse(values);
  return Object.fromEntries((result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}

describe('newGuestSchema', () => {
  it('accepts a filled form of each kind of site', () => {
    expect(wrong(filled)).toEqual({});
    expect(wrong(commercial, paid)).toEqual({});
  });
  it('tells everything that is missing at once', () =>
    expect(wrong(EMPTY_GUEST, paid)).toEqual({
      firstName: 'invalid.firstName',
      lastName: 'invalid.lastName',
      gender: 'invalid.gender',
      ageServiceId: 'invalid.age',
      phone: 'invalid.phoneRequired',
      email: 'invalid.email',
      serviceIds: 'invalid.services',
      typeOfClientServiceId: 'invalid.typeOfClient',
      paymentMethod: 'invalid.paymentMethod',
    }));
  it('asks for a yes where the site does not serve something, and only there', () => {
    const minor = { ...filled, ageServiceId: 'age-under-18' };
    expect(wrong(minor)).toEqual({ allowNotServed: 'invalid.allowNotServed' });
    expect(wrong({ ...minor, allowNotServed: true })).toEqual({});
  });
  it('asks for a reason over held capacity, and only there', () => {
    const over = { ...free, asksReason: true };
    expect(wrong({ ...filled, overCapacityReason: ' ' }, over)).toEqual({ overCapacityReason: 'invalid.reason' });
    expect(wrong({ ...filled, overCapacityReason: 'At the door' }, over)).toEqual({});
    expect(wrong({ ...filled, overCapacityReason: 'a'.repeat(201) }, over)).toEqual({
      overCapacityReason: 'invalid.length',
    });
  });
  it('asks for no client type and no payment at non-commercial sites', () =>
    expect(Object.keys(wrong(EMPTY_GUEST))).not.toContain('paymentMethod'));
  it('lets a first name have 50 characters and no more', () => {
    expect(wrong({ ...filled, firstName: 'a'.repeat(50) })).toEqual({});
    expect(wrong({ ...filled, firstName: 'a'.repeat(51) })).toEqual({ firstName: 'invalid.firstNameLength' });
  });
  it('lets the last name be one character, whatever its bytes', () => {
    expect(wrong({ ...filled, lastName: 'Ñ' })).toEqual({});
    expect(wrong({ ...filled, lastName: '𝒦' })).toEqual({});
    expect(wrong({ ...filled, lastName: 'Ko' })).toEqual({ lastName: 'invalid.lastNameLength' });
  });
  it.each(['+1714555013', '+171455501345', '7145550134'])('refuses the phone number %j', (phone) =>
    expect(wrong({ ...filled, phone })).toEqual({ phone: 'invalid.phone' }),
  );
  it('refuses names of blanks', () =>
    expect(wrong({ ...filled, firstName: '  ' })).toEqual({ firstName: 'invalid.firstName' }));
  it('needs a general service: a disability alone is none', () =>
    expect(wrong({ ...filled, serviceIds: ['hearing-impaired'] })).toEqual({ serviceIds: 'invalid.services' }));
  it('needs the insurance company for the insurance method only', () => {
    expect(wrong({ ...commercial, insuranceCompanyId: '' }, paid)).toEqual({
      insuranceCompanyId: 'invalid.insuranceCompany',
    });
    expect(wrong({ ...commercial, paymentMethod: '1', insuranceCompanyId: '' }, paid)).toEqual({});
  });
  it('limits the optional texts', () =>
    expect(
      wrong({ ...filled, location: 'x'.repeat(101), policyNumber: 'x'.repeat(51), groupNumber: 'x'.repeat(51) }),
    ).toEqual({ location: 'invalid.length', policyNumber: 'invalid.length', groupNumber: 'invalid.length' }));
});

describe('toNewGuest', () => {
  const ages = [{ id: 'age-under-18' }, { id: 'age-18-26' }, { id: 'age-over-27' }];
  it('writes the payload of a non-commercial site, trimmed, without what is empty', () =>
    expect(toNewGuest({ ...filled, mediCalChoice: 'moc' }, { id: 's1', isCommercial: false }, free, ages)).toEqual({
      siteId: 's1',
      gender: 2,
      ageGroup: 2,
      ageServiceId: 'age-18-26',
      firstName: 'Anna',
      lastName: 'k',
      phone: '+17145550134',
      email: 'anna@mail.example',
      serviceIds: ['detox', 'hearing-impaired'],
      mediCalChoice: 'moc',
      source: 'Admin',
    }));
  it('sends the language of text messages where it is not English', () => {
    const sent = (language: 'en' | 'es') =>
      toNewGuest({ ...filled, language }, { id: 's1', isCommercial: false }, free, ages).language;
    expect([sent('en'), sent('es')]).toEqual([undefined, 'es']);
  });
  it('sends insurer and numbers for the insurance method only', () => {
    const values = { ...commercial, policyNumber: 'P-1', groupNumber: ' ' };
    const body = toNewGuest(values, { id: 's1', isCommercial: true }, paid, ages);
    expect(body).toMatchObject({
      paymentMethod: 2,
      insuranceCompanyId: 'i1',
      policyNumber: 'P-1',
      typeOfClientServiceId: 'adults',
    });
    expect(body).not.toHaveProperty('groupNumber');
    const cash = toNewGuest({ ...values, paymentMethod: '1' }, { id: 's1', isCommercial: true }, paid, ages);
    expect(cash).not.toHaveProperty('insuranceCompanyId');
    expect(cash).not.toHaveProperty('policyNumber');
  });
  it.each([
    ['age-under-18', 1],
    ['age-18-26', 2],
    ['age-over-27', 3],
  ])('numbers the age %s as %i', (ageServiceId, number) =>
    expect(toNewGuest({ ...filled, ageServiceId }, { id: 's1', isCommercial: false }, free, ages)).toMatchObject({
      ageServiceId,
      ageGroup: number,
    }),
  );
  it.each([
    ['Male', 1],
    ['Female', 2],
    ['Other', 0],
  ])('numbers the gender %s as %i', (gender, number) =>
    expect(toNewGuest({ ...filled, gender }, { id: 's1', isCommercial: false }, free, ages).gender).toBe(number),
  );
});
