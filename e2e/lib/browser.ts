import { existsSync } from 'node:fs';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Keeps the browser from calling home: noise in a log, and slow where there is no network. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The one place that knows which browser is driven: the installed Chromium, or the one that BERTH_CHROMIUM names. */
export function chromiumLaunchOptions(): { executablePath: string; args: string[] } {
  const executablePath = process.env.BERTH_CHROMIUM ?? CANDIDATES.find((path) => existsSync(path));
  if (!executablePath) {
    throw new Error('No Chromium found. Install the Debian package "chromium" or set BERTH_CHROMIUM to a browser.');
  }
  // Chromium's sandbox refuses to run as root; tests in containers often do.
  const args = process.getuid?.() === 0 ? [...QUIET, '--no-sandbox'] : QUIET;
  return { executablePath, args };
}
