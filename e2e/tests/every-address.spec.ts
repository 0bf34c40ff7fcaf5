import { readFileSync } from 'node:fs';
import { PAYING_ADMIN_SCREENS, PAYING_OWNER_SCREENS } from '../lib/screens/billing.ts';
import { GLOBAL_SCREENS } from '../lib/screens/global.ts';
import { OWNER_SCREENS } from '../lib/screens/owner.ts';
import { PUBLIC_SCREENS } from '../lib/screens/public.ts';
import { findWorld } from '../lib/screens/screen.ts';
import { SCREENS } from '../lib/screens/site-staff.ts';
import { expect, test } from '../lib/test.ts';

/** Addresses that show nothing of their own, and why. */
const WITHOUT_SCREEN: Readonly<Record<string, string>> = {
  '/': 'leads to the first screen of whoever asks',
  '/logout': 'signs out and leads to the sign-in',
  '/login/callback': 'takes the answer of another site and leads on',
  '/sites/$siteId': 'leads to the page of the site below its organization',
  '/payment-details': 'leads to the bills of the first organization',
  '/cards': 'leads to the cards of the first organization',
  '/dashboard': 'leads to the first of its lists',
};

/** Steps of a sign-in that has only begun: `invitation.spec.ts` looks at them on its way. */
const ELSEWHERE = ['/create-password', '/two-factor-setup', '/two-factor-confirm'];

/** The addresses of the web app, as its router knows them: `/history/$siteId`. */
function addresses(): string[] {
  const tree = readFileSync(new URL('../../web/src/routeTree.gen.ts', import.meta.url), 'utf8');
  const list = /\n {2}to:\n((?: {4}\| '.*'\n)+)/.exec(tree)?.[1] ?? '';
  return [...list.matchAll(/'(.*)'/g)].map(([, address]) => address ?? '');
}

function fits(address: string, path: string): boolean {
  const parts = address.split('/').map((part) => (part.startsWith('$') ? '[^/]+' : part));
  return new RegExp(`^${parts.join('/')}/?$`).test(path.replace(/[?#].*/, ''));
}

test('axe looks at every address of the web app', async ({ apiAs }) => {
  const world = await findWorld(await apiAs('admin'));
  const screens = [
    ...PUBLIC_SCREENS,
    ...SCREENS,
    ...OWNER_SCREENS,
    ...PAYING_OWNER_SCREENS,
    ...PAYING_ADMIN_SCREENS,
    ...GLOBAL_SCREENS,
  ];
  const paths = screens.map((screen) => screen.path(world));
  const known = addresses();
  expect(known.length).toBeGreaterThan(40);
  // An address with a fixed part, as /sites/new/…, must not pass for one with an open part.
  const shown = (address: string) =>
    paths.some(
      (path) => fits(address, path) && !known.some((other) => other !== address && isNearer(other, address, path)),
    );
  const unseen = known.filter((address) => !(address in WITHOUT_SCREEN) && !shown(address));
  expect(unseen.toSorted()).toEqual(ELSEWHERE.toSorted());
});

/** Whether the router would choose `other` for a path that both fit: the one with fewer open parts. */
function isNearer(other: string, address: string, path: string): boolean {
  return fits(other, path) && openParts(other) < openParts(address);
}

function openParts(address: string): number {
  return address.split('$').length - 1;
}
