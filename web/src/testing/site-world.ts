import type { Schemas } from '@/api/client';
import type { renderView } from './render';
import { siteDetails } from './bed-builders';
import { answerGet, serve } from './server';

export const service = (id: string, name: string, category: Schemas['Service']['category']): Schemas['Service'] => ({
  id,
  name,
  category,
  type: null,
});

/** An organization that is paid by private means and by insurers. */
export function organization(fields: Partial<Schemas['Organization']> = {}): Schemas['Organization'] {
  return {
    id: 'o1',
    name: 'Harbor Recovery',
    logoPath: null,
    siteCount: 1,
    isCommercial: false,
    isDisabled: false,
    insuranceCompanies: [],
    reservationPaymentMethods: [{ id: 1, name: 'Private pay', category: 'PrivatePay' }],
    createdAt: '2026-01-01T00:00:00.000Z',
    countOfBeds: 0,
    countOfVacantBeds: 0,
    countOfPending: 0,
    version: 1,
    ...fields,
  };
}

/** A non-commercial site that the rules of the form are content with. */
export const SITE = siteDetails([], {
  isCommercial: false,
  description: 'A quiet house with a garden, near the beach, for people who want to begin again together.',
  intakePeriods: [{ timePeriod: 'Monday to Friday', enabled: true, from: '09:10:00', to: '17:00:00' }],
  languages: [{ id: 'en', name: 'English' }],
  services: [service('medical-detox', 'Medical detox', 'General')],
  editVersion: 1,
});

/** What the forms of a site offer: services, languages, screening periods, places. */
export function answerChoices(): void {
  const groups: Schemas['ServiceGroups'] = {
    age: [service('age-18-26', '18 to 26', 'Age')],
    gender: [service('gender-female', 'Female', 'Gender')],
    client: [],
    general: [service('medical-detox', 'Medical detox', 'General'), service('prenatal', 'Prenatal', 'General')],
    disability: [service('hearing', 'Hearing impaired', 'Disability')],
  };
  serve(
    answerGet('/api/SiteServices/commercial', { ...groups, client: [service('adults', 'Adults', 'Client')] }),
    answerGet('/api/SiteServices/nonCommercial', groups),
    answerGet('/api/Languages', [
      { id: 'ar', name: 'Arabic' },
      { id: 'es', name: 'Spanish' },
      { id: 'en', name: 'English' },
    ]),
    answerGet('/api/places', {
      items: [
        {
          id: 'p1',
          label: '1 Main St, Santa Ana, CA',
          street: '1 Main St',
          city: 'Santa Ana',
          state: 'CA',
          postalCode: null,
          latitude: null,
          longitude: null,
          timeZone: 'America/Los_Angeles',
          precision: 'street',
        },
      ],
    }),
    answerGet('/api/Sites/screeningPeriods', [
      { totalHours: 1, value: '00:01:00:00' },
      { totalHours: 24, value: '01:00:00:00' },
    ]),
  );
}

/** Types into the address and chooses the place that is offered. */
export async function chooseAddress(screen: Awaited<ReturnType<typeof renderView>>): Promise<void> {
  await screen.getByRole('combobox', { name: 'Address' }).fill('1 Main');
  await screen.getByRole('option', { name: '1 Main St' }).click();
}
