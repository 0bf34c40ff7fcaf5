import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { ApiError, ForbiddenError, NetworkError, NotFoundError, type Problem } from '@/api/errors';
import { forgetLostSites } from './forget-lost-sites';

const PROBLEM: Problem = { type: 'about:blank', title: '', status: 0, detail: '', message: '', instance: '' };
const KEY = ['sites', 's1', 'details'];

/** A site on the screen that is loaded again and fails with `error`. */
async function failToLoadAgain(error: Error) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const stop = forgetLostSites(client);
  const queryFn = vi
    .fn<() => Promise<object>>()
    .mockRejectedValue(error)
    .mockResolvedValueOnce({ name: 'Harbor House' });
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn });
  const leave = observer.subscribe(() => undefined);
  client.setQueryData(['sites', 's1', 'waitlist'], ['Robin P.']);
  client.setQueryData(['sites', 's2', 'waitlist'], ['Alex M.']);
  await expect.poll(() => observer.getCurrentResult().data).toBeDefined();
  await client.invalidateQueries({ queryKey: KEY });
  await expect.poll(() => observer.getCurrentResult().isError).toBe(true);
  leave();
  stop();
  const shown = (key: string[]) => client.getQueryData(key);
  return { site: shown(KEY), waitlist: shown(['sites', 's1', 'waitlist']), other: shown(['sites', 's2', 'waitlist']) };
}

it.each([
  ['deleted', new NotFoundError(404, PROBLEM)],
  ['lost', new ForbiddenError(403, PROBLEM)],
])('forgets a site that was %s, and nothing else', async (_, error) => {
  const left = await failToLoadAgain(error);
  expect(left).toEqual({ site: undefined, waitlist: undefined, other: ['Alex M.'] });
});

it.each([
  ['the network', new NetworkError()],
  ['the server', new ApiError(500, PROBLEM)],
])('keeps a site that cannot be loaded because of %s', async (_, error) => {
  const left = await failToLoadAgain(error);
  expect(left).toMatchObject({ site: { name: 'Harbor House' }, waitlist: ['Robin P.'] });
});
