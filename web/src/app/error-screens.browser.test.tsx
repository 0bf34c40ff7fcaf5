import { expect, it } from 'vitest';
import { ApiError, NotFoundError } from '@/api/errors';
import { renderView } from '@/testing/render';
import { ErrorScreen, NotFoundScreen } from './error-screens';

const PROBLEM = { type: 'about:blank', title: '', status: 0, detail: '', message: 'Not there.', instance: '' };

/** The screen that a route shows in place of its own. */
const failed = (error: Error) => <ErrorScreen error={error} reset={() => undefined} />;

it.each([
  ['a site that is gone', () => failed(new NotFoundError(404, PROBLEM))],
  ['a screen that the server cannot load', () => failed(new ApiError(500, PROBLEM))],
  ['a screen that fails', () => failed(new Error('a defect'))],
  ['an address of no page', () => <NotFoundScreen />],
])('in place of %s stands a link to the home page', async (_what, draw) => {
  const screen = await renderView(draw(), { path: '/sites/s1/edit' });
  await screen.getByRole('link', { name: 'Go to the home page' }).click();
  expect(screen.router.state.location.pathname).toBe('/');
});
