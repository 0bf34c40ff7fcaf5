import { type APIRequestContext, expect } from '@playwright/test';
import { DESCRIPTION, type File, linkIn, mailTo, type NewSite, type Person } from './administration.ts';
import type { Api } from './api.ts';
import { latestCode } from './outbox.ts';
import { HEADERS, takeToken } from './sign-in.ts';

// What `administration.ts` does on the screens, by the API: for tests of what comes after it.

interface Organization {
  readonly name: string;
  readonly owner: Person;
  readonly logo: File;
}

/** A global admin adds a commercial organization; its owner is invited. Returns its id. */
export async function addOrganization(global: Api, origin: string, { name, owner, logo }: Organization) {
  const logoPath = await upload(global.request, 'org_', logo);
  const form = { name, ownerEmail: owner.email, logoPath, redirectUri: origin };
  return ((await created(global.post('/api/Organizations/commercial', form))) as { id: string }).id;
}

/** Accepts an invitation with a password, a phone and a name. The session stays in `request`. */
export async function join(request: APIRequestContext, origin: string, person: Person): Promise<void> {
  const { email, password, phone, firstName, lastName } = person;
  const link = linkIn(await mailTo(request, origin, email));
  await takeToken(request, origin, { grant_type: 'invitation', access_token: link.replace(/^.*token=/, '') });
  const send = async (method: 'post' | 'put', path: string, data: object) =>
    expect(await request[method](`${origin}/api/Users/${path}`, { headers: HEADERS, data })).toBeOK();
  await send('post', 'password', { password });
  await send('post', 'phone/challenge', { phone });
  await takeToken(request, origin, {
    grant_type: 'two_factor_exchange',
    otp: await latestCode(request, origin, phone),
  });
  await send('put', 'name', { firstName, lastName });
}

/** Adds a site with its photos to a commercial organization; its admin is invited. */
export async function addSite(
  owner: Api,
  origin: string,
  organizationId: string,
  { name, admin, photos }: NewSite,
): Promise<void> {
  const places = await owner.get('/api/places?query=Laguna%20Beach&kind=city');
  const [place] = ((await places.json()) as { items: { id: string; label: string }[] }).items;
  const form = {
    organizationId,
    name,
    description: DESCRIPTION,
    address: place?.label,
    placeId: place?.id,
    contactPhone: '+17145550134',
    contactEmail: 'front@desk.example',
    adminEmail: admin.email,
    adminFirstName: admin.firstName,
    adminLastName: admin.lastName,
    intakePeriods: [{ timePeriod: 'Monday to Friday', from: '00:01:00', to: '00:01:00' }],
    screeningPeriod: '01:00:00:00',
    languageIds: ['en'],
    serviceIds: ['sober-living'],
    images: await Promise.all(
      photos.map(async (photo, index) => ({ imagePath: await upload(owner.request, 'site_', photo), index })),
    ),
    redirectUri: `${origin}/login/callback`,
  };
  await created(owner.post('/api/Sites/commercial', form));
}

async function upload(request: APIRequestContext, prefix: 'org_' | 'site_', file: File): Promise<string> {
  const multipart = { prefix, files: file };
  const { paths } = (await created(request.post('/api/Images', { headers: HEADERS, multipart }))) as {
    paths: string[];
  };
  return paths[0] ?? '';
}

async function created(asked: ReturnType<Api['post']>): Promise<unknown> {
  const response = await asked;
  expect(response.status(), await response.text()).toBe(201);
  return response.json();
}
