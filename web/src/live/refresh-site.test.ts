import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { refreshSite } from './live-connection';

const SITE = '0190a000-0000-7000-8000-00000000000a';
const OTHER = '0190a000-0000-7000-8000-00000000000b';

function staleKeys(version: number): string[] {
  const client = new QueryClient();
  client.setQueryData(['sites', SITE, 'details'], { version: 7 });
  client.setQueryData(['sites', SITE, 'guests'], { items: [] });
  client.setQueryData(['sites', OTHER, 'details'], { version: 3 });
  client.setQueryData(['site-list'], {});
  client.setQueryData(['organizations'], []);
  client.setQueryData(['today', 'own', {}], {});
  client.setQueryData(['today', 'platform', {}], {});
  client.setQueryData(['current-user'], {});
  refreshSite(client, SITE, version);
  return client
    .getQueryCache()
    .getAll()
    .filter((query) => query.state.isInvalidated)
    .map((query) =>
      query.queryKey
        .slice(0, 3)
        .filter((part) => typeof part === 'string')
        .join('/'),
    );
}

it('a newer version loads the site, what belongs to it, and the lists that hold its numbers', () => {
  expect(staleKeys(8)).toEqual([
    `sites/${SITE}/details`,
    `sites/${SITE}/guests`,
    'site-list',
    'organizations',
    'today/own',
  ]);
});

it('a version that is cached already does not load the site twice', () => {
  expect(staleKeys(7)).toEqual([`sites/${SITE}/guests`, 'site-list', 'organizations', 'today/own']);
});
