import type { Schemas } from '@/api/client';
import type { renderView } from './render';
import { service, siteDetails } from './bed-builders';
import { organization } from './organization-builders';
import { answerGet, serve } from './server';

/** Harbor Recovery with one site, which is paid by private means. */
export function harborRecovery(fields: Partial<Schemas['Organization']> = {}): Schemas['Organization'] {
  return organization('o1', {
    name: 'Harbor Recovery',
    siteCount: 1,
    reservationPaymentMethods: [{ id: 1, name: 'Private pay', category: 'PrivatePay' }],
    ...fields,
  });
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
