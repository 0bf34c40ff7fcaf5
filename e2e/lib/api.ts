import { type APIRequestContext, type APIResponse, expect } from '@playwright/test';
import type { components } from '../../web/src/api/schema.d.ts';
import { latestCode } from './outbox.ts';
import { HEADERS } from './sign-in.ts';

type Schemas = components['schemas'];
export type Site = Schemas['SiteDetails'];
export type Bed = Schemas['Bed'];
export type Guest = Schemas['Guest'];
/** A bed and the house that it stands in. */
export type Place = { readonly bed: Bed; readonly house: string };

let people = 0;

/** The API as one account sees it; answers are those of the schema. */
export class Api {
  constructor(readonly request: APIRequestContext) {}

  async dispose(): Promise<void> {
    await this.request.dispose();
  }

  get(path: string): Promise<APIResponse> {
    return this.request.get(path);
  }

  patch(path: string, data: object): Promise<APIResponse> {
    return this.request.patch(path, { headers: HEADERS, data });
  }

  put(path: string, data: object): Promise<APIResponse> {
    return this.request.put(path, { headers: HEADERS, data });
  }

  post(path: string, data: object): Promise<APIResponse> {
    return this.request.post(path, { headers: HEADERS, data });
  }

  /** A site by its name; a failure names the sites that are there. */
  async siteCalled(name: string): Promise<Site> {
    const { items } = (await this.read('/api/Sites?pageSize=100')) as { items: { id: string; name: string }[] };
    const found = items.find((site) => site.name === name);
    if (!found) throw new Error(`There is no ${name} among ${items.map((site) => site.name).join(', ')}.`);
    return this.site(found.id);
  }

  async site(id: string): Promise<Site> {
    return (await this.read(`/api/Sites/${id}`)) as Site;
  }

  /** Pending and assigned guests of a site. */
  async guests(siteId: string): Promise<Guest[]> {
    return ((await this.read(`/api/Guests?siteId=${siteId}`)) as { items: Guest[] }).items;
  }

  async guest(id: string): Promise<Guest> {
    return (await this.read(`/api/Guests/${id}`)) as Guest;
  }

  /** Does what one click on the board does. */
  async command(guest: Pick<Guest, 'id'>, status: string, bedId?: string): Promise<Guest> {
    const response = await this.patch(`/api/Guests/${guest.id}`, { status, bedId });
    expect(response.status(), await response.text()).toBe(200);
    return (await response.json()) as Guest;
  }

  private async read(path: string): Promise<unknown> {
    const response = await this.request.get(path);
    expect(response.status(), `${path}: ${await response.text()}`).toBe(200);
    return response.json();
  }
}

/** Beds that can take a guest, house by house. */
export function vacantPlaces(site: Site): Place[] {
  return places(site).filter(({ bed }) => !bed.disabled && !bed.isOccupied);
}

/** Beds with a guest in them. */
export function takenPlaces(site: Site): Place[] {
  return places(site).filter(({ bed }) => bed.guest);
}

function places(site: Site): Place[] {
  return site.rooms.flatMap((room) => room.beds.map((bed) => ({ bed, house: room.name })));
}

/** A site, after so many of its guests have gone home that a reservation can be made for so many people. */
export async function withRoomFor(api: Api, name: string, count: number): Promise<Site> {
  return makeRoom(api, (await api.siteCalled(name)).id, count);
}

async function makeRoom(api: Api, siteId: string, count: number): Promise<Site> {
  const site = await api.site(siteId);
  const missing = count - site.counts.available;
  if (missing <= 0) return site;
  for (const { bed } of takenPlaces(site).slice(0, missing)) {
    if (bed.guest) await api.command(bed.guest, 'DISCHARGED');
  }
  return api.site(siteId);
}

/**
 * Makes a reservation as a search site does, without an account, and finds the guest that it became. Whatever tests of the same
 * server have reserved before, there is room for it.
 */
export async function reserve(request: APIRequestContext, api: Api, site: Site, firstName: string): Promise<Guest> {
  people += 1;
  await makeRoom(api, site.id, 1);
  const of = (category: string) => site.services.find((service) => service.category === category)?.id;
  const gender = of('Gender') === 'gender-male' ? 1 : 2;
  const phone = `+1951555${String(1000 + people)}`;
  const form = {
    siteId: site.id,
    gender,
    ageServiceId: of('Age') ?? 'age-over-27',
    firstName,
    lastName: 'Q',
    phone,
    email: `${firstName.replaceAll(/[^a-z]/gi, '')}.${people}@mail.example`.toLowerCase(),
    location: 'Riverside, CA',
    serviceIds: [of('General') ?? 'drug-treatment'],
    ...(site.isCommercial ? { typeOfClientServiceId: of('Client') ?? 'adults', paymentMethod: 1 } : {}),
  };
  const asked = await request.post('/api/public/reservations', { data: form });
  expect(asked.status(), await asked.text()).toBe(202);
  const { id } = (await asked.json()) as { id: string };
  const otp = await latestCode(request, '', phone);
  const made = await request.post(`/api/public/reservations/${id}/confirm`, { data: { otp } });
  expect(made.status(), await made.text()).toBe(201);
  const { code } = (await made.json()) as { code: string };
  const guest = (await api.guests(site.id)).find((one) => one.code === code);
  if (!guest) throw new Error(`The reservation ${code} is not among the guests of ${site.name}.`);
  return guest;
}

/** What tells a person: two reservations with the same phone and email are of one person. */
export interface Person {
  readonly firstName: string;
  readonly phone: string;
  readonly email: string;
}

/** Makes a reservation by hand, as the form for a new guest does. */
export async function addByHand(api: Api, site: Site, person: Person): Promise<Guest> {
  await makeRoom(api, site.id, 1);
  const of = (category: string) => site.services.find((service) => service.category === category)?.id;
  const added = await api.post('/api/Guests', {
    ...person,
    siteId: site.id,
    gender: 1,
    ageServiceId: of('Age'),
    lastName: 'Q',
    serviceIds: [of('General')],
    typeOfClientServiceId: of('Client'),
    paymentMethod: 1,
    allowNotServed: true,
  });
  expect(added.status(), await added.text()).toBe(201);
  return (await added.json()) as Guest;
}
