import { cleanNotifications } from '@mantine/notifications';
import { useSuspenseQuery } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Schemas } from '@/api/client';
import { siteQuery } from '@/features/sites/api/site-query';
import { expectNoViolations } from '@/testing/axe';
import { currentUser } from '@/testing/builders';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import {
  expectButtonsWhole,
  expectNoSidewaysScroll,
  expectWhole,
  restoreScreen,
  SMALL_SCREENS,
  useSmallScreen,
} from '@/testing/small-screen';
import { service } from '@/testing/bed-builders';
import { answerChoices, chooseAddress, SITE } from '@/testing/site-world';
import { SiteEdit } from './components/site-edit';

afterEach(() => cleanNotifications());

type Site = Schemas['SiteDetails'];
const owner = currentUser({ role_owner_organization_ids: 'o1' });
const admin = currentUser({ role_admin_site_ids: 's1' });

function Page() {
  const { data: site } = useSuspenseQuery(siteQuery('s1'));
  return <SiteEdit site={site} type="organizations" />;
}

/** Opens the form of a site that the server keeps; `refusals` are answered before it takes an edit. */
async function openEdit({ user = owner, stored = SITE, refusals = [] as (() => Response)[] } = {}) {
  const world = { site: stored, edits: [] as Schemas['SiteEdit'][], deleted: 0, refuseDelete: false };
  answerChoices();
  serve(
    http.get('/api/Sites/s1', () => HttpResponse.json(world.site)),
    http.put('/api/Sites/:kind/:id', async ({ request }) => {
      const edit = (await request.json()) as Schemas['SiteEdit'];
      world.edits.push(edit);
      const refused = refusals[world.edits.length - 1]?.();
      if (refused) return refused;
      if (edit.editVersion !== world.site.editVersion) return problem(412, 'Someone else was faster.');
      world.site = { ...world.site, name: edit.name, description: edit.description, editVersion: 9 };
      return HttpResponse.json(world.site);
    }),
    http.delete('/api/Sites/:id', () => {
      world.deleted += 1;
      return world.refuseDelete
        ? problem(409, 'A bed of this site is occupied.')
        : new HttpResponse(null, { status: 204 });
    }),
  );
  const screen = await renderView(
    <Suspense fallback="…">
      <Page />
    </Suspense>,
    { user, path: '/sites/s1/edit' },
  );
  const name = () => screen.getByRole('textbox', { name: 'Name', exact: true });
  await expect.element(name()).toHaveValue(stored.name);
  return { screen, world, name, save: () => screen.getByRole('button', { name: 'Save', exact: true }).click() };
}

describe('the form of a stored site', () => {
  it('shows the site, saves what changed once, and leads back to it', async () => {
    const { screen, world, name } = await openEdit();
    await expect.element(screen.getByLabelText('Monday to Friday: From')).toHaveValue('09:00:00');
    await expect.element(screen.getByLabelText('Medical detox')).toBeChecked();
    await expect.element(screen.getByText("Admin's email")).not.toBeInTheDocument();
    await expectNoViolations();
    const saveButton = () => screen.getByRole('button', { name: 'Save', exact: true }).element() as HTMLButtonElement;
    saveButton().click();
    expect(world.edits).toEqual([]);
    await name().fill('Harbor House North');
    await screen.getByRole('switch', { name: 'Show this site in search' }).click();
    // Two presses without a pause between them; the first is not to come before the form has noticed the change.
    await expect.element(screen.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
    saveButton().click();
    saveButton().click();
    await expect.element(screen.getByText('Harbor House North was saved.')).toBeVisible();
    await expect.poll(() => screen.router.state.location.href).toBe('/organizations/o1/s1?tab=information');
    expect(world.edits).toHaveLength(1);
    expect(world.edits[0]).toMatchObject({
      name: 'Harbor House North',
      isDisabled: true,
      editVersion: 1,
      placeId: null,
      showDaysOfWeek: true,
    });
    expect(world.edits[0]).not.toHaveProperty('rooms');
  });

  it('sets the longest stay and takes it away, and refuses what is no number of days', async () => {
    const { screen, world, save } = await openEdit({ stored: { ...SITE, lengthOfStayDaysMax: 90 } });
    const days = screen.getByRole('textbox', { name: 'Maximum length of stay in days (optional)' });
    await expect.element(days).toHaveValue('90');
    await days.fill('ninety');
    await save();
    await expect.element(screen.getByText('The length of stay must be 1 to 3650 days.')).toBeVisible();
    await expect.element(days).toHaveFocus();
    await days.fill('');
    await save();
    await expect.poll(() => world.edits).toHaveLength(1);
    expect(world.edits[0]).toMatchObject({ lengthOfStayDaysMax: 0 });
  });

  it('wants an address from the list once it is touched, and sends the id of the place', async () => {
    const { screen, world, save } = await openEdit();
    const address = screen.getByRole('combobox', { name: 'Address' });
    await address.fill('somewhere');
    await save();
    await expect.element(screen.getByText('Please choose address from dropdown.')).toBeVisible();
    await expect.element(address).toHaveFocus();
    await chooseAddress(screen);
    await save();
    await expect.poll(() => world.edits).toHaveLength(1);
    expect(world.edits[0]).toMatchObject({ address: '1 Main St, Santa Ana, CA', placeId: 'p1' });
  });

  it('puts sentences of the server beside their fields and others under the form', async () => {
    const { screen, name, save } = await openEdit({
      refusals: [
        () =>
          problem(422, 'Some fields are wrong.', {
            errors: [{ pointer: '/intakePeriods/0/to', message: 'Too late in the day.' }],
          }),
        () => problem(409, 'The organization is being closed.'),
      ],
    });
    await name().fill('Harbor');
    await save();
    await expect.element(screen.getByText('Too late in the day.')).toBeVisible();
    await expect.element(screen.getByLabelText('Monday to Friday: To')).toHaveFocus();
    await expectNoViolations();
    await save();
    await expect.element(screen.getByText('The organization is being closed.')).toBeVisible();
    await expect.element(name()).toHaveValue('Harbor');
  });

  it('asks before unsaved changes are left', async () => {
    const { screen, name } = await openEdit();
    await name().fill('Harbor');
    await screen.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(screen.getByText('Leave page? Changes that you made wont be saved.')).toBeVisible();
    await screen.getByRole('button', { name: 'Stay' }).click();
    await expect.element(name()).toHaveValue('Harbor');
  });
});

describe('when somebody else changes the site meanwhile', () => {
  const theirs: Site = {
    ...SITE,
    name: 'Their House',
    contactPhone: '+17145550199',
    isDisabled: true,
    images: [{ imagePath: 'uploads/site_1.jpg', index: 0 }],
    intakePeriods: [{ timePeriod: 'Weekends', enabled: true, from: '10:00:00', to: '15:00:00' }],
    services: [...SITE.services, service('prenatal', 'Prenatal', 'General')],
    screeningPeriod: { value: '02:00:00:00', totalHours: 48 },
    editVersion: 2,
  };

  it('a 412 keeps what was typed, names what changed, and both can be brought together', async () => {
    const { screen, world, name, save } = await openEdit();
    await screen.getByLabelText('Alias').fill('My alias');
    world.site = theirs;
    await save();
    const notice = screen.getByRole('alert');
    await expect.element(notice).toHaveTextContent('Someone else changed this in the meantime.');
    for (const line of [
      'NameSaved now: Their House',
      'PhoneSaved now: +1 (714) 555-0199',
      'Show this site in searchSaved now: Off',
      'PhotosSaved now: 1 photo',
      'Intake hoursSaved now: Weekends: 10:00 AM – 3:00 PM',
      'ServicesSaved now: Medical detox and Prenatal',
      'Max screening periodSaved now: 48 hours',
    ]) {
      await expect.element(notice).toHaveTextContent(line);
    }
    await expect.element(notice.getByRole('img', { name: 'Photos, saved now' })).toBeInTheDocument();
    await expect.element(screen.getByLabelText('Alias')).toHaveValue('My alias');
    await expect.element(name()).toHaveValue('Their House');
    await expectNoViolations();
    await screen.getByRole('button', { name: 'Save mine too' }).click();
    await expect.poll(() => world.edits).toHaveLength(2);
    expect(world.edits[1]).toMatchObject({ editVersion: 2, name: 'Their House', alias: 'My alias' });
  });

  it('a photo that someone else removed leaves the form too, so that the other photos can be saved as they are here', async () => {
    const photos = (...names: string[]) =>
      names.map((name, index) => ({ imagePath: `uploads/site_${name}.jpg`, index }));
    const { screen, world, save } = await openEdit({ stored: { ...SITE, images: photos('a', 'b', 'c') } });
    await screen
      .getByRole('button', { name: /^Move forward/ })
      .first()
      .click();
    world.site = { ...SITE, images: photos('a', 'b'), editVersion: 2 };
    await save();
    const notice = screen.getByRole('alert');
    await expect.element(notice).toHaveTextContent('The other person removed 1 photo. It is gone here too.');
    const mine = notice.getByRole('img', { name: /^Photos, yours/ });
    expect(mine.elements()).toHaveLength(2);
    const saveMine = screen.getByRole('button', { name: 'Save mine instead' });
    const { left, top } = saveMine.element().getBoundingClientRect();
    const at = { clientX: left + 5, clientY: top + 5, bubbles: true, cancelable: true };
    await saveMine.click({ position: { x: 5, y: 5 } });
    // The second half of a double click falls on what has moved up: a switch there would save at once.
    expect(document.body.dispatchEvent(new PointerEvent('click', { ...at, detail: 2 }))).toBe(false);
    await expect.poll(() => world.edits).toHaveLength(2);
    expect(world.edits[1]).toMatchObject({ editVersion: 2, images: photos('b', 'a') });
  });

  it('the bar leads to the question, whose answers it does not cover', async () => {
    await page.viewport(1280, 700);
    const { screen, world, name } = await openEdit();
    await name().click();
    await userEvent.keyboard('{End}x');
    world.site = { ...theirs, name: 'Harbor House' };
    await screen.queryClient.invalidateQueries({ queryKey: ['sites', 's1'] });
    await screen.getByRole('button', { name: 'See what changed' }).click();
    await expect.element(screen.getByRole('alert')).toHaveFocus();
    for (const answer of ['Keep editing', 'Save mine too']) {
      const button = screen.getByRole('button', { name: answer }).element();
      const { left, top, width, height } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height - 2);
      expect(button.contains(hit)).toBe(true);
    }
    expect(world.edits).toEqual([]);
    await page.viewport(1360, 900);
  });

  it('the new record can be loaded in place of what was typed', async () => {
    const { screen, world, name } = await openEdit();
    await name().fill('Mine');
    world.site = theirs;
    await screen.queryClient.invalidateQueries({ queryKey: ['sites', 's1'] });
    await screen.getByRole('button', { name: 'Use the saved version' }).click();
    await expect.element(name()).toHaveValue('Their House');
    await expect.element(screen.getByText('Someone else changed', { exact: false })).not.toBeInTheDocument();
  });

  it('the form follows by itself while nothing is typed', async () => {
    const { screen, world, name } = await openEdit();
    world.site = theirs;
    await screen.queryClient.invalidateQueries({ queryKey: ['sites', 's1'] });
    await expect.element(name()).toHaveValue('Their House');
    await expect.element(screen.getByText('Someone else changed', { exact: false })).not.toBeInTheDocument();
  });
});

it('whoever edits a site of a hidden organization reads that nobody finds it', async () => {
  const { screen } = await openEdit({ stored: { ...SITE, organizationIsDisabled: true } });
  await expect
    .element(screen.getByLabelText('Show this site in search'))
    .toHaveAccessibleDescription('The organization is not shown in search, and its sites are not either.');
});

describe('deleting a site', () => {
  it('needs the word, exactly, says what it ends, and shows why it is refused', async () => {
    const { screen, world, name } = await openEdit({ stored: { ...SITE, isCommercial: true } });
    await name().fill('Half typed');
    world.refuseDelete = true;
    await screen.getByRole('button', { name: 'Delete site' }).click();
    const dialog = screen.getByRole('dialog');
    await expect.element(dialog.getByText('Are you sure you want to delete Harbor House?')).toBeVisible();
    await expect.element(dialog.getByText(/^A subscription of this site is canceled at once/u)).toBeVisible();
    await dialog.getByLabelText('Type DELETE to confirm').fill('delete');
    await expect.element(dialog.getByRole('button', { name: 'Delete site' })).toBeDisabled();
    await dialog.getByLabelText('Type DELETE to confirm').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete site' }).click();
    await expect.element(dialog.getByText('A bed of this site is occupied.')).toBeVisible();
    await expectNoViolations();
    world.refuseDelete = false;
    await dialog.getByRole('button', { name: 'Delete site' }).click();
    await expect.poll(() => screen.router.state.location.pathname).toBe('/organizations/o1');
    await expect.element(screen.getByText('Harbor House was deleted.')).toBeVisible();
    expect(world.deleted).toBe(2);
  });

  it('is not for site admins', async () => {
    const { screen } = await openEdit({ user: admin });
    await expect.element(screen.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Delete site' })).not.toBeInTheDocument();
  });
});

describe('the question for arrivals', () => {
  const theSwitch = () => page.getByRole('switch', { name: 'Ask whether accepted guests have arrived' });

  it('is saved at once, and what is typed in the form stays', async () => {
    const { screen, world, name } = await openEdit();
    const sent: unknown[] = [];
    serve(
      http.put('/api/Sites/s1/arrivals', async ({ request }) => {
        const body = (await request.json()) as Schemas['SiteArrivals'];
        sent.push(body);
        world.site = { ...world.site, ...body, editVersion: world.site.editVersion + 1 };
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await name().fill('Harbor House North');
    await theSwitch().click();
    await expect.element(screen.getByText('Harbor House now asks for arrivals.')).toBeVisible();
    await expect.element(theSwitch()).toBeChecked();
    expect(sent).toEqual([{ asksArrival: true }]);
    expect(world.edits).toEqual([]);
    await expect.element(name()).toHaveValue('Harbor House North');
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => world.edits).toMatchObject([{ name: 'Harbor House North', editVersion: 2 }]);
  });

  it('stays as it was when the server refuses, which the switch says', async () => {
    const { screen } = await openEdit();
    serve(http.put('/api/Sites/s1/arrivals', () => problem(403, 'You may not change this site.')));
    await theSwitch().click();
    await expect.element(screen.getByText('You may not change this site.').first()).toBeVisible();
    await expect.element(theSwitch()).not.toBeChecked();
  });
});

describe('how strict the placement rules are', () => {
  it('is saved at once', async () => {
    const { screen, world } = await openEdit();
    const sent: unknown[] = [];
    serve(
      http.put('/api/Sites/s1/placement', async ({ request }) => {
        const body = (await request.json()) as Schemas['SitePlacement'];
        sent.push(body);
        world.site = { ...world.site, ...body, editVersion: world.site.editVersion + 1 };
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const theSwitch = screen.getByRole('switch', { name: 'Refuse beds that are not for a guest' });
    await theSwitch.click();
    await expect.element(screen.getByText('Harbor House now refuses beds that are not for a guest.')).toBeVisible();
    await expect.element(theSwitch).toBeChecked();
    expect(sent).toEqual([{ strictPlacement: true }]);
  });
});

describe.each(SMALL_SCREENS)('at $width px with letters of $letters %', (screenSize) => {
  beforeEach(() => useSmallScreen(screenSize));
  afterEach(restoreScreen);

  it('choices and buttons are whole, and the page does not scroll sideways', async () => {
    const { screen } = await openEdit();
    const languages = screen.getByRole('group', { name: 'Languages' }).getByRole('checkbox').elements();
    expect(languages.length).toBeGreaterThan(1);
    for (const box of languages) expectWhole(box.closest('[class*="Checkbox-root"]') as Element);
    expectButtonsWhole();
    expectNoSidewaysScroll();
  });
});
