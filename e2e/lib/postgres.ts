import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

/** An empty database on the PostgreSQL of `scripts/with-postgres`. */
export interface Database {
  readonly url: string;
  readonly drop: () => void;
}

export function createDatabase(): Database {
  const server = process.env.BERTH_TEST_POSTGRES;
  const programs = process.env.BERTH_TEST_POSTGRES_BIN;
  if (!server || !programs) throw new Error('This test needs PostgreSQL: scripts/with-postgres npx playwright test …');
  const name = `e2e_${randomUUID().replaceAll('-', '')}`;
  const say = (text: string) => execFileSync(join(programs, 'psql'), [server, '--quiet', '--command', text]);
  say(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => say(`DROP DATABASE ${name} WITH (FORCE)`) };
}
