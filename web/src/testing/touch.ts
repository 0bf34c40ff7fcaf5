import { cdp } from 'vitest/browser';

/** Makes the browser a touch screen, or ends that. Turn it off after the test. */
export async function touch(enabled: boolean): Promise<void> {
  await cdp().send('Emulation.setTouchEmulationEnabled', { enabled });
}
