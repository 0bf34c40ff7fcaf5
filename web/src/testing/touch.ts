import { cdp, server } from 'vitest/browser';

/** Makes the browser a touch screen, or ends that. Turn it off after the test. For the files of `TOUCH_TESTS` in vite.config.ts. */
export async function touch(enabled: boolean): Promise<void> {
  if (server.config.name !== 'touch') throw new Error('Name this file in TOUCH_TESTS of vite.config.ts.');
  await cdp().send('Emulation.setTouchEmulationEnabled', { enabled });
}
