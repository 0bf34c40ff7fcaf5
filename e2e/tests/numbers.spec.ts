import { MAIN_SITE } from '../lib/accounts.ts';
import { textOfPdf, withoutSpace } from '../lib/report-files.ts';
import { expect, test } from '../lib/test.ts';

test('the printed numbers have place, days, time and reader on each page, and begin on the first', async ({
  openContext,
  apiAs,
}) => {
  const site = await (await apiAs('admin')).siteCalled(MAIN_SITE);
  const page = await (await openContext('admin')).newPage();
  await page.goto(`/organizations/${site.organizationId}/${site.id}?tab=numbers`);
  await expect(page.locator('figure').nth(4)).toBeVisible();
  for (const landscape of [false, true]) {
    const pages = await textOfPdf(await page.pdf({ format: 'Letter', landscape }));
    expect(pages.length).toBeGreaterThan(1);
    const head = (pages[0] ?? '').slice(0, (pages[0] ?? '').indexOf('Occupancybyday'));
    expect(head).toContain(withoutSpace(`Numbers: ${MAIN_SITE}`));
    expect(head).toMatch(/Days?inPacificTime\..*Asof.*P[SD]T,printedbyAdamKeller$/);
    expect(pages.map((text) => text.slice(0, head.length))).toEqual(pages.map(() => head));
  }
});
