import { cleanNotifications } from '@mantine/notifications';
import { skipToken, useQuery } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { page } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { guestKeys } from '@/features/guests/api/keys';
import { findBed } from '@/features/houses/ui/beds.utils';
import { writePreference } from '@/lib/preferences';
import { tellUserForgotten } from '@/lib/session-end';
import { bed, guest, guestShort, room, siteDetails } from '@/testing/bed-builders';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { serve } from '@/testing/server';
import { RequestView } from '@/features/reservations/components/request-view';

/** After each test. */
export async function tearDownRequest() {
  tellUserForgotten();
  cleanNotifications();
  writePreference('colorScheme', 'light');
  await page.viewport(1360, 900);
}

/** A bed with a guest. */
export const taken = bed('a', { guest: guestShort('ben', { displayName: 'Ben B2' }) });
/** Two houses: a taken and a vacant bed, a disabled and a vacant one. */
export const site = siteDetails([room('1', [taken, bed('b')]), room('2', [bed('c', { disabled: true }), bed('d')])]);
/** Waits for a bed. */
export const anna = guest('anna', { firstName: 'Anna', lastName: 'K', code: 'K7M2QX', displayName: 'Anna K. K7M2QX' });
/** Has the taken bed. */
export const ben = guest('ben', {
  firstName: 'Ben',
  lastName: 'B',
  status: 'accepted',
  version: 4,
  assignedBedId: 'a',
  room: { id: '1', name: 'House 1', imagePath: null },
  bed: { id: 'a', name: 'Bed a', type: 'Detox', index: 0, imagePath: null },
});
/** Intake staff of the site. */
export const intake = currentUser({ role_intake_site_ids: 's1' });

/** The guest in a bed of the site, as the server answers an accept. */
export function inBed(
  of: Schemas['Guest'],
  at: Schemas['SiteDetails'],
  bedId: string | null | undefined,
): Schemas['Guest'] {
  const found = findBed(at.rooms, bedId ?? null);
  const place = found && {
    assignedBedId: found.bed.id,
    room: { id: found.room.id, name: found.room.name, imagePath: null },
    bed: { id: found.bed.id, name: found.bed.name, type: found.bed.type, index: 0, imagePath: null },
  };
  return { ...of, ...place, status: 'accepted', version: of.version + 1 };
}

/** Opens the page of a reservation; every update is recorded and answered by `answer`. */
export async function openRequest({ of = anna, user = intake, at = site, answer }: OpenOptions = {}) {
  const sent: Schemas['GuestUpdate'][] = [];
  const keys: (string | null)[] = [];
  serve(
    http.patch('/api/Guests/:id', async ({ request }) => {
      const update = (await request.json()) as Schemas['GuestUpdate'];
      sent.push(update);
      keys.push(request.headers.get('Idempotency-Key'));
      return answer?.(update, sent.length) ?? HttpResponse.json(inBed(of, at, update.bedId));
    }),
  );
  const screen = await renderView(<Page guest={of} site={at} />, { user });
  const choose = (name: string) => screen.getByRole('radio', { name }).click();
  return { screen, sent, keys, choose };
}

/** The page with the guest as the cache has it, which answers and live events refresh. */
function Page({ guest: first, site: given }: { guest: Schemas['Guest']; site: Schemas['SiteDetails'] }) {
  const { data: at = given } = useQuery<Schemas['SiteDetails']>({ queryKey: ['site of the test'], queryFn: skipToken });
  const { data = first } = useQuery<Schemas['Guest']>({ queryKey: guestKeys.one(first.id), queryFn: skipToken });
  return <RequestView guest={data} site={at} supportPhone="+17145550100" />;
}

interface OpenOptions {
  of?: Schemas['Guest'];
  user?: typeof intake;
  at?: Schemas['SiteDetails'];
  /** `time` counts the requests from 1. */
  answer?: (update: Schemas['GuestUpdate'], time: number) => Response | undefined;
}
