import type { Page } from '@playwright/test';

/** For people who want to look at every screen: BERTH_SCREENSHOTS=folder make e2e ARGS=accessibility */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.BERTH_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png` });
}
