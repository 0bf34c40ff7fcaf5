import { describe, expect, it } from 'vitest';
import { fitsText, fullName, serviceNames, shownStatus } from './guest-facts.utils';

const anna = { firstName: 'Anna', lastName: 'K', code: 'K7M2QX', displayName: 'Anna K. K7M2QX' };

describe('fullName', () => {
  it('is the first name and the initial', () => expect(fullName(anna)).toBe('Anna K.'));
  it('is the first name alone without an initial', () =>
    expect(fullName({ firstName: 'Anna', lastName: '' })).toBe('Anna'));
});

describe('shownStatus', () => {
  const at = '2026-11-25T10:00:00.000Z';
  const guest = { status: 'accepted', cancelledAt: null, isArriving: false, noShowAt: null } as const;
  it('is arriving until a guest with a bed has come', () => {
    expect(shownStatus({ ...guest, isArriving: true })).toBe('arriving');
    expect(shownStatus(guest)).toBe('accepted');
  });
  it('tells who never came from who was discharged', () => {
    expect(shownStatus({ ...guest, status: 'discharged', noShowAt: at })).toBe('noShow');
    expect(shownStatus({ ...guest, status: 'discharged' })).toBe('discharged');
  });
  it('tells a reservation that its guest cancelled from a declined one', () =>
    expect(shownStatus({ ...guest, status: 'rejected', cancelledAt: at })).toBe('cancelled'));
});

describe('serviceNames', () => {
  it('joins the names', () => {
    const nameOf = ({ name }: { name: string }) => name.toUpperCase();
    const service = (name: string) => ({ id: name, name, category: 'General' as const, type: null });
    expect(serviceNames({ services: [service('Detox'), service('Prenatal')] }, nameOf)).toBe('DETOX, PRENATAL');
    expect(serviceNames({ services: [] }, nameOf)).toBe('');
  });
});

describe('fitsText', () => {
  it('finds by name and by code, whatever the case and the order', () => {
    expect(fitsText(anna, ' ANN ')).toBe(true);
    expect(fitsText(anna, 'k7m2')).toBe(true);
    expect(fitsText(anna, 'k. anna')).toBe(true);
  });
  it('finds a name without its accents', () => {
    const zoe = { ...anna, firstName: 'Zoë', lastName: 'É' };
    for (const typed of ['zoe', 'Zoë', 'Zoe\u0308', 'zoe e']) expect(fitsText(zoe, typed)).toBe(true);
    expect(fitsText({ ...anna, firstName: 'José' }, 'jose')).toBe(true);
  });
  it('takes one letter for the start of a name, never for a letter of the code', () => {
    const megan = { ...anna, firstName: 'Megan', lastName: 'K', code: 'H7M2QH' };
    expect(fitsText(megan, 'Megan H')).toBe(false);
    expect(fitsText(megan, 'h')).toBe(false);
    expect(fitsText({ ...megan, lastName: 'H' }, 'Megan H')).toBe(true);
    expect(fitsText(megan, 'h7')).toBe(true);
    expect(fitsText(megan, 'm2qh')).toBe(false);
  });
  it('finds the inside of a name by three letters', () => {
    expect(fitsText({ ...anna, firstName: 'Joanna' }, 'ann')).toBe(true);
    expect(fitsText({ ...anna, firstName: 'Joanna' }, 'nn')).toBe(false);
  });
  it('finds everyone by an empty text and nobody by a foreign one', () => {
    expect(fitsText(anna, '  ')).toBe(true);
    expect(fitsText(anna, 'bert')).toBe(false);
  });
});
