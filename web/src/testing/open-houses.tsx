import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import type { Schemas } from '@/api/client';
import { HousesTab } from '@/features/houses/components/houses-tab';
import type { BedFilter } from '@/features/houses/houses.utils';
import { bed, guestShort, room, siteDetails } from './bed-builders';
import { currentUser } from './builders';
import { renderView } from './render';
import { serve } from './server';

/** May edit the houses. */
export const owner = currentUser({ role_owner_organization_ids: 'o1' });
export const occupied = bed('a', { guest: guestShort('ana', { displayName: 'Ana A1' }) });
/** Two houses: a guest, two vacant beds and a disabled one. */
export const site = siteDetails([
  room('1', [occupied, bed('b')]),
  room('2', [bed('c', { disabled: true }), bed('d')], { name: 'Garden' }),
]);

/** The Houses tab with the filter that its address keeps. */
export function Tab({ of = site }: { of?: Schemas['SiteDetails'] }) {
  const [beds, setBeds] = useState<BedFilter>('all');
  const [type, setType] = useState<Schemas['Bed']['type']>();
  return <HousesTab site={of} beds={beds} onBedsChange={setBeds} type={type} onTypeChange={setType} />;
}

/** Opens the Houses tab; `menu` chooses from the menu of a house or bed. */
export async function openTab(user = owner, of = site) {
  const screen = await renderView(<Tab of={of} />, { user });
  const menu = async (name: string, entry: string) => {
    await screen.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await screen.getByRole('menuitem', { name: entry }).click();
  };
  return { screen, menu };
}

/** Records the body of one call and answers it. */
export function record(method: 'post' | 'put', path: string, answer: object) {
  const bodies: unknown[] = [];
  serve(
    http[method](path, async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json(answer, { status: method === 'post' ? 201 : 200 });
    }),
  );
  return bodies;
}
