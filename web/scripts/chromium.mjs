/**
 * The one place that knows which browser the tests drive: the installed Chromium. Nothing downloads a browser.
 * BERTH_CHROMIUM overrides the path.
 */
import { existsSync } from 'node:fs';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function chromiumLaunchOptions() {
  const executablePath = process.env.BERTH_CHROMIUM ?? CANDIDATES.find((path) => existsSync(path));
  if (!executablePath) {
    throw new Error('No Chromium found. Install the Debian package "chromium" or set BERTH_CHROMIUM to a browser.');
  }
  // The sandbox of Chromium refuses to run as root; tests in containers often do.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath, args };
}
