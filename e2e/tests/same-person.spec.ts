import { MAIN_SITE } from '../lib/accounts.ts';
import { addByHand, vacantPlaces, withRoomFor } from '../lib/api.ts';
import { HANDS } from '../lib/shift/hands.ts';
import { expect, test } from '../lib/test.ts';

for (const [number, hands] of HANDS.entries()) {
  test(`two reservations of one person are merged on the guest page, and the merge is undone in its message, by ${hands.by}`, async ({
    openContext,
    apiAs,
  }) => {
    const api = await apiAs('admin');
    const site = await withRoomFor(api, MAIN_SITE, 2);
    const [home] = vacantPlaces(site);
    if (!home) throw new Error('The site has no vacant bed.');
    const person = { firstName: 'Marta', phone: `+195155580${10 + number}`, email: `marta.${number}@mail.example` };
    const added = await addByHand(api, site, person);
    const kept = await api.command(added, 'ACCEPTED', home.bed.id);
    const duplicate = await addByHand(api, site, person);
    const page = await (await openContext('admin', hands.context)).newPage();
    const section = page.getByRole('region', { name: 'Same person' });
    const merge = section.getByRole('button', { name: `Merge ${duplicate.displayName}` });

    await test.step('the page of the guest shows the other reservation', async () => {
      await page.goto('/history');
      await expect(page.getByRole('button', { name: 'Find a guest, site or organization' })).toBeVisible();
      await hands.find(page, kept, kept.code);
      await expect(section.getByText(duplicate.code)).toBeVisible();
    });

    await test.step('the question says what becomes of each, and the duplicate ends', async () => {
      await hands.press(merge);
      const question = page.getByRole('dialog', { name: 'Merge these two reservations?' });
      await expect(question).toContainText(`${kept.displayName} is kept as it is.`);
      await expect(question).toContainText(`${duplicate.displayName} at ${site.name} ends`);
      await hands.press(question.getByRole('button', { name: 'Merge' }));
      await expect(section.getByText('Merged', { exact: true })).toBeVisible();
      await expect(merge).toHaveCount(0);
      const now = await api.guest(duplicate.id);
      expect(now.status).toBe('rejected');
      expect(now.mergedAt).not.toBeNull();
      expect((await api.guest(kept.id)).status).toBe('accepted');
    });

    await test.step('Undo in the message brings it back', async () => {
      const told = page.getByRole('status').filter({ hasText: `${duplicate.displayName} was merged into` });
      await hands.press(told.getByRole('button', { name: 'Undo' }));
      const undone = page.getByRole('status').filter({ hasText: `The merge of ${duplicate.displayName} was undone.` });
      await expect(undone).toBeVisible();
      await expect(merge).toBeVisible();
      expect((await api.guest(duplicate.id)).status).toBe('pending');
    });

    await api.command(duplicate, 'REJECTED');
    await api.command(kept, 'DISCHARGED');
  });
}
