import { GLOBAL_SCREENS } from '../lib/screens/global.ts';
import { OWNER_SCREENS } from '../lib/screens/owner.ts';
import { PUBLIC_SCREENS } from '../lib/screens/public.ts';
import { findWorld, show } from '../lib/screens/screen.ts';
import { SCREENS } from '../lib/screens/site-staff.ts';
import { spanishWords, TypedTexts, untranslatedTexts } from '../lib/spanish.ts';
import { expect, test } from '../lib/test.ts';

test.describe.configure({ mode: 'parallel' });

const BY_ACCOUNT = [
  [null, PUBLIC_SCREENS],
  ['admin', SCREENS],
  ['owner', OWNER_SCREENS],
  ['global', GLOBAL_SCREENS],
] as const;

const SPANISH = spanishWords();

for (const [account, screens] of BY_ACCOUNT) {
  test(`no English on the Spanish screens of ${account ?? 'nobody'}`, async ({ openContext, apiAs }) => {
    test.setTimeout(600_000);
    const world = await findWorld(await apiAs('admin'));
    const context = await openContext(account);
    await context.addInitScript(() => {
      // about:blank has no storage.
      if (location.origin !== 'null') localStorage.setItem('berth.language', 'es');
    });
    const page = await context.newPage();
    const typed = new TypedTexts(page);
    for (const screen of screens) {
      await test.step(screen.name, async () => {
        await show(page, screen, world);
        const english = await untranslatedTexts(page, SPANISH, typed);
        expect.soft(english, screen.name).toEqual([]);
      });
    }
    await context.close();
    // The account has taken the language of the page over; the tests after this one read English.
    if (account) await (await apiAs(account)).put('/api/Users/language', { language: 'en' });
  });
}
