import { http, HttpResponse } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { endSession } from '@/access/end-session';
import type { Schemas } from '@/api/client';
import { useShortcut } from '@/components/use-shortcut';
import { useNavigation } from '@/features/shell/components/sidebar';
import { APP_ROUTES } from '@/testing/app-routes';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { foundGuest, foundSite, searchResults } from '@/testing/search-builders';
import { problem, serve } from '@/testing/server';
import { SearchTools } from './search-tools';

const site = foundSite();
const intake = currentUser({ role_intake_site_ids: site.id });

afterEach(() => page.viewport(1360, 900));

/** Answers by the text that is asked for; returns the texts. */
function serveSearch(
  answer: (text: string) => Partial<Schemas['SearchResults']> | Promise<Partial<Schemas['SearchResults']>>,
) {
  const asked: string[] = [];
  serve(
    http.post('/api/Search', async ({ request }) => {
      const { query: text } = (await request.json()) as Schemas['SearchQuery'];
      asked.push(text);
      return HttpResponse.json(searchResults(await answer(text)));
    }),
  );
  return asked;
}

function WithScreens() {
  return <SearchTools screens={useNavigation()} />;
}

async function open(user = intake) {
  const view = (
    <>
      <h1 data-page-heading tabIndex={-1}>
        Sites
      </h1>
      <WithScreens />
    </>
  );
  const screen = await renderView(view, { user, routes: APP_ROUTES, path: '/reservations' });
  await screen.getByRole('button', { name: 'Find a guest, site or organization' }).click();
  const field = screen.getByRole('combobox', { name: 'Find a guest, site or organization' });
  await expect.element(field).toHaveFocus();
  return { screen, field };
}

const activeOption = () => document.querySelector('[role="option"][aria-selected="true"]')?.textContent ?? '';

it('finds a guest by typing and Enter, and the address and the storage keep nothing of it', async () => {
  const asked = serveSearch((text) => ({ guests: text.startsWith('mar') ? [foundGuest()] : [] }));
  const { screen, field } = await open();
  await field.fill('mar');
  const option = screen.getByRole('option', { name: /Maria G\. K7M2QX/ });
  await expect.element(option).toHaveAttribute('aria-selected', 'true');
  await expect.element(option.getByText('Mar', { exact: true })).toBeVisible();
  await expect.element(option).toHaveTextContent('Harbor House · +1 (714) 555-0134');
  await expect.element(field).toHaveAttribute('aria-activedescendant', option.element().id);
  await expect.element(screen.getByRole('status')).toHaveTextContent('1 result');
  expect(screen.router.state.location.href).toBe('/reservations');
  await userEvent.keyboard('{Enter}');
  const { siteId, id } = foundGuest();
  await expect.poll(() => screen.router.state.location.pathname).toBe(`/reservations/guest/${siteId}/${id}`);
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  expect(screen.queryClient.getQueryCache().findAll({ queryKey: ['search'] })).toEqual([]);
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain('mar');
  expect(asked).toEqual(['mar']);
});

/** A page with a shortcut of its own. */
function WithShortcut({ decline }: { decline: () => void }) {
  useShortcut('d', decline);
  return <WithScreens />;
}

it('letters that follow Ctrl K before the field has the focus go to the search and to no shortcut of the page', async () => {
  serveSearch(() => ({}));
  const decline = vi.fn<() => void>();
  const screen = await renderView(<WithShortcut decline={decline} />, {
    user: intake,
    routes: APP_ROUTES,
    path: '/reservations',
  });
  const press = (key: string, ctrlKey = false) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
  press('d');
  expect(decline).toHaveBeenCalledOnce();
  press('k', true);
  await expect.element(screen.getByRole('button', { name: /Find a guest/ })).toHaveAttribute('aria-expanded', 'true');
  for (const key of ['a', 'n', 'd', 's', 'Backspace', 'Enter']) press(key);
  const field = screen.getByRole('combobox', { name: /Find a guest/ });
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('re');
  await expect.element(field).toHaveValue('andre');
  expect(decline).toHaveBeenCalledOnce();
});

it('finds a person on a waitlist, who says whether a bed is on offer, and leads to the list', async () => {
  const person = {
    id: 'w1',
    displayName: 'Maria G. W7M2QX',
    code: 'W7M2QX',
    hasOffer: true,
    siteId: '0190a000-0000-7000-8000-000000000020',
    siteName: 'Harbor House',
    organizationId: 'o1',
    isCommercial: true,
    phone: '+17145550134',
  };
  serveSearch(() => ({ waiting: [person, { ...person, id: 'w2', hasOffer: false }] }));
  const { screen, field } = await open();
  await field.fill('maria');
  const lines = screen.getByRole('group', { name: 'Waitlist' }).getByRole('option');
  await expect.element(lines.first()).toHaveTextContent(/Maria G\. W7M2QX.*Harbor House.*A bed is on offer/);
  await expect.element(lines.nth(1)).toHaveTextContent(/On the waitlist/);
  await expectNoViolations();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => screen.router.state.location.pathname).toBe(`/waitlist/${person.siteId}`);
});

it('arrow keys go through the lines of all groups and around, and Escape gives the focus back', async () => {
  serveSearch(() => ({ guests: [foundGuest()], sites: [site] }));
  const { screen, field } = await open();
  await field.fill('ha');
  await expect.element(screen.getByRole('group', { name: 'Sites' })).toBeVisible();
  expect(activeOption()).toContain('Maria');
  const passed: string[] = [];
  for (let step = 0; step < 4; step += 1) {
    // Each key acts on what the one before left.
    // oxlint-disable-next-line no-await-in-loop
    await userEvent.keyboard('{ArrowDown}');
    passed.push(activeOption());
  }
  expect(passed[0]).toContain('3 beds available');
  expect(passed.slice(1, 3)).toEqual([
    'New guest at Harbor HouseHarbor Recovery',
    'Move guests at Harbor HouseHarbor Recovery',
  ]);
  expect(passed[3]).toContain('Maria');
  await userEvent.keyboard('{ArrowUp}');
  expect(activeOption()).toContain('Move guests at Harbor House');
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Find a guest, site or organization' })).toHaveFocus();
});

it('Enter before the answer is there chooses of the answer to what is in the field', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  serveSearch(async (text) => {
    if (text === 'mario') await held;
    return { guests: [text === 'mario' ? foundGuest({ id: 'mario', displayName: 'Mario P. QQQQQQ' }) : foundGuest()] };
  });
  const { screen, field } = await open();
  await field.fill('mari');
  await expect.element(screen.getByRole('option', { name: /Maria/ })).toBeVisible();
  await field.fill('mario');
  await userEvent.keyboard('{Enter}');
  // The results before stay in their place.
  await expect.element(screen.getByRole('option', { name: /Maria/ })).toBeVisible();
  expect(screen.router.state.location.pathname).toBe('/reservations');
  release();
  await expect.poll(() => screen.router.state.location.pathname).toMatch(/\/mario$/);
});

it('a command is chosen, completed and leads to the screen for it', async () => {
  const asked = serveSearch(() => ({ guests: [foundGuest()], sites: [site] }));
  const { screen, field } = await open();
  await field.fill('acc');
  await screen.getByRole('option', { name: 'Accept…' }).click();
  await expect.element(field).toHaveValue('Accept ');
  await userEvent.keyboard('maria');
  const line = screen.getByRole('option', { name: /Accept Maria G\. K7M2QX/ });
  await expect.element(line).toBeVisible();
  await expect.poll(() => asked.at(-1)).toBe('maria');
  await line.click();
  await expect.poll(() => screen.router.state.location.pathname).toBe(`/reservations-request/${foundGuest().id}`);
});

it('a new guest at a site opens the form there, and guests are moved on its board', async () => {
  serveSearch(() => ({ sites: [site] }));
  for (const [text, what] of [
    ['new guest at har', 'new-guest'],
    ['move guests at har', 'board'],
  ] as const) {
    // One after the other: both use the same page.
    /* oxlint-disable no-await-in-loop */
    const { screen, field } = await open();
    await field.fill(text);
    await expect.element(screen.getByRole('option', { name: /Harbor House/ })).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => screen.router.state.location.pathname).toBe(`/reservations/${site.id}`);
    expect(screen.router.state.location.search).toMatchObject({ open: what });
    await screen.unmount();
    /* oxlint-enable no-await-in-loop */
  }
});

it('staff find guests and pages but no actions, and are not told of phone numbers', async () => {
  const { phone: _, ...guest } = foundGuest();
  serveSearch((text) => (text === 'ma' ? { guests: [guest], sites: [site] } : {}));
  const { screen, field } = await open(currentUser({ role_staff_site_ids: site.id }));
  await expect
    .element(screen.getByRole('group', { name: 'Pages' }).getByRole('option', { name: 'History' }))
    .toBeVisible();
  await expect.element(screen.getByRole('group', { name: 'Actions' })).not.toBeInTheDocument();
  await field.fill('ma');
  await expect.element(screen.getByRole('option', { name: /Maria/ })).toBeVisible();
  await expect.element(screen.getByRole('group', { name: 'Actions' })).not.toBeInTheDocument();
  await field.fill('nobody');
  await expect.element(screen.getByText('Nothing found.')).toBeVisible();
  await expect.element(screen.getByText(/Search by a guest's first name or code/)).toBeVisible();
});

it('results that were cut say that there may be more, and whole ones do not', async () => {
  const guests = Array.from({ length: 8 }, (_, index) => foundGuest({ id: `g${index}`, displayName: `Mara ${index}` }));
  serveSearch((text) => ({ guests: text === 'ma' ? guests : guests.slice(1) }));
  const { screen, field } = await open();
  const more = 'At most 8 of each kind are shown. Type more to see fewer.';
  await field.fill('ma');
  await expect.element(screen.getByText(more, { exact: true })).toBeVisible();
  await expect.element(screen.getByRole('status')).toHaveTextContent(`8 results ${more}`);
  await field.fill('mar');
  await expect.element(screen.getByRole('status')).toHaveTextContent(/^7 results$/);
  await expect.element(screen.getByText(more)).not.toBeInTheDocument();
});

it('the text says what can be searched for a command', async () => {
  serveSearch(() => ({}));
  const { screen, field } = await open();
  await field.fill('new guest at');
  await expect.element(screen.getByText('Type the name of the site.')).toBeVisible();
  await field.fill('accept zoe');
  await expect.element(screen.getByText('No reservation found that you can accept.')).toBeVisible();
});

it('a search that fails says so and asks again', async () => {
  let isDown = true;
  serve(
    http.post('/api/Search', () =>
      isDown ? HttpResponse.error() : HttpResponse.json(searchResults({ guests: [foundGuest()] })),
    ),
  );
  const { screen, field } = await open();
  await field.fill('mar');
  await expect.element(screen.getByRole('alert')).toBeVisible();
  isDown = false;
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByRole('option', { name: /Maria/ })).toBeVisible();
  serve(http.post('/api/Search', () => problem(503, 'The server is busy.')));
  await field.fill('maria');
  await expect.element(screen.getByRole('alert')).toHaveTextContent('The server is busy.');
});

it('what was found is gone when the session ends', async () => {
  serveSearch(() => ({ guests: [foundGuest()] }));
  const { screen, field } = await open();
  await field.fill('mar');
  await expect.element(screen.getByRole('option', { name: /Maria/ })).toBeVisible();
  endSession(screen.queryClient, 'refused');
  expect(screen.queryClient.getQueryCache().findAll({ queryKey: ['search'] })).toEqual([]);
});

it('the shortcuts open it, and Ctrl K closes it, too', async () => {
  const { screen } = await open();
  for (const keys of ['{Control>}k{/Control}', '/']) {
    /* oxlint-disable no-await-in-loop */
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
    await userEvent.keyboard(keys);
    await expect.element(screen.getByRole('combobox')).toHaveFocus();
    await expect.element(screen.getByRole('combobox')).toHaveValue('');
    /* oxlint-enable no-await-in-loop */
  }
});

it.each([
  [1360, 'light'],
  [390, 'light'],
  [390, 'dark'],
] as const)('axe finds nothing and nothing is cut at %i px, %s', async (width, scheme) => {
  await page.viewport(width, 844);
  const long = 'Transitional Living and Recovery Center of the Greater Long Beach Area';
  serveSearch(() => ({
    guests: [
      foundGuest({ siteName: long, roomName: 'House #12', bedName: 'Bed B' }),
      foundGuest({ id: 'b', displayName: 'Maximiliana-Alexandra W. ZZZZZZ', status: 'discharged' }),
    ],
    sites: [foundSite({ name: long, organizationName: long })],
    organizations: [{ id: 'o', name: long, isCommercial: false }],
    users: [
      {
        id: 'u',
        name: 'Ines Moreno',
        email: 'ines@demo.example',
        role: 'Intake',
        membershipStatus: 'Active',
        organizationId: 'o',
        organizationName: long,
        siteId: site.id,
        siteName: long,
      },
    ],
  }));
  const { screen, field } = await open();
  document.documentElement.dataset.mantineColorScheme = scheme;
  await field.fill('ma');
  await expect.element(screen.getByRole('option', { name: /Ines Moreno/ })).toBeInTheDocument();
  await expectNoViolations();
  const results = screen.getByRole('listbox').element().parentElement;
  expect(results?.scrollWidth).toBe(results?.clientWidth);
  for (const option of document.querySelectorAll('[role="option"]')) {
    expect(option.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
  }
  document.documentElement.dataset.mantineColorScheme = 'light';
});
