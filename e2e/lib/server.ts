import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const START_MILLISECONDS = 60_000;

/** A demo server of its own: own port, own data folder, no reservations that arrive by themselves. */
export interface Server {
  readonly origin: string;
  /** Makes someone a global admin at the command line; returns the link that sets the password. */
  readonly invite: (email: string) => string;
  /** Lets the hold of a reservation run out at this moment. For a server with a SQLite of its own. */
  readonly endHold: (guestId: string) => void;
  readonly stop: () => Promise<void>;
  /** kill -9: nothing is finished, nothing is told. */
  readonly kill: () => Promise<void>;
}

interface ServerOptions {
  /** A PostgreSQL instead of a SQLite of its own. */
  readonly databaseUrl?: string;
  /** Where another server was, as `http://localhost:4711`. */
  readonly origin?: string;
  /** Another origin that browsers may come from, such as a proxy; needs `origin`. */
  readonly proxyOrigin?: string;
}

/** The binary under test: BERTH_BINARY, or what `cargo build` has made. */
function findBinary(): string {
  const target = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');
  const binary = process.env.BERTH_BINARY ?? join(target, 'debug/berth');
  if (!existsSync(binary)) throw new Error(`There is no ${binary}. Build it with: cargo build --bin berth`);
  return binary;
}

/** The clock of one reservation alone: another clock for the whole server would end the sessions of everyone, too. */
const END_HOLD = `
import sqlite3, sys, time, uuid
now = int(time.time() * 1000)
with sqlite3.connect(sys.argv[1], timeout=10) as db:
    hold = "UPDATE guests SET expires_at = ?1 WHERE id = ?2 AND expires_at > ?1"
    assert db.execute(hold, (now, uuid.UUID(sys.argv[2]).bytes)).rowcount == 1, "no hold of this guest is open"
`;

/** Starts the real binary on a free port and waits until it says that it serves. */
export async function startServer({ databaseUrl, origin: wanted, proxyOrigin }: ServerOptions = {}): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), 'berth-e2e-'));
  const settings = {
    BERTH_DEMO: 'true',
    BERTH_DEMO_QUIET: 'true',
    BERTH_LISTEN: `127.0.0.1:${wanted ? new URL(wanted).port : 0}`,
    BERTH_DATA: data,
    ...(wanted && proxyOrigin ? { BERTH_ORIGINS: `${wanted},${proxyOrigin}` } : {}),
    ...(databaseUrl ? { BERTH_DATABASE_URL: databaseUrl, BERTH_DATABASE_CONNECTIONS: '10' } : {}),
  };
  const child = spawn(findBinary(), ['serve'], {
    cwd: data,
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Whatever ends this process ends the server and its data.
  const forget = () => {
    child.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  };
  process.once('exit', forget);

  let log = '';
  const origin = await new Promise<string>((found, failed) => {
    const timer = setTimeout(() => failed(new Error(`berth did not start:\n${log}`)), START_MILLISECONDS);
    const read = (chunk: Buffer) => {
      log += chunk.toString();
      const address = /Berth demo\s+(http:\/\/localhost:\d+)/.exec(log)?.[1];
      if (address && log.includes('Berth serves')) {
        clearTimeout(timer);
        found(address);
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => failed(new Error(`berth ended with code ${code}:\n${log}`)));
  });

  const end = async (signal: NodeJS.Signals) => {
    await ended(child, signal);
    process.removeListener('exit', forget);
    rmSync(data, { recursive: true, force: true });
  };
  const invite = (email: string) => {
    const person = ['--email', email, '--first-name', 'Nell', '--last-name', 'Porter'];
    const said = execFileSync(findBinary(), ['create-admin', ...person, '--data', data], {
      cwd: data,
      env: { PATH: process.env.PATH, BERTH_ORIGINS: origin },
      encoding: 'utf8',
    });
    const link = said.split('\n').find((line) => line.includes('#access_token='));
    if (!link) throw new Error(`There is no link in: ${said}`);
    return link;
  };
  const endHold = (guestId: string) => {
    execFileSync('python3', ['-c', END_HOLD, join(data, 'berth.sqlite'), guestId]);
  };
  return { origin, invite, endHold, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolveExit) => {
    child.once('exit', () => resolveExit());
  });
  child.kill(signal);
  // A server that does not drain in time is cut off; no test rests on how it ends.
  const cut = setTimeout(() => child.kill('SIGKILL'), 5000);
  await exit;
  clearTimeout(cut);
}
