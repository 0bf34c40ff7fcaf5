import { http } from 'msw';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { client, unwrap } from '@/api/client';
import type { ApiError } from '@/api/errors';
import { ErrorScreen } from '@/app/error-screens';
import { FormError } from '@/features/auth/ui/form-error';
import { changeLanguage } from '@/i18n/i18n';
import { renderView } from '@/testing/render';
import { problem, serve } from '@/testing/server';
import { ConfirmDialog } from './dialog/confirm-dialog';
import { ErrorState } from './error-state';
import { Refusal } from './refusal';
import { toast } from './toast';

afterEach(() => changeLanguage('en'));

/** A refusal, read in Spanish, whose code has no words there. */
async function refused(): Promise<ApiError> {
  await changeLanguage('es');
  serve(http.get('/api/Sites/:id', () => problem(422, 'Do not honor.', { code: 'untranslated' })));
  const call = unwrap(client.GET('/api/Sites/{id}', { params: { path: { id: 's1' } } }));
  return call.then(
    () => Promise.reject(new Error('The call was not refused.')),
    (error: unknown) => error as ApiError,
  );
}

/** The language that a screen reader takes the refusal for. */
async function language(): Promise<string | null | undefined> {
  const sentence = page.getByText('Do not honor.', { exact: true });
  await expect.element(sentence).toBeVisible();
  return sentence.element().closest('[lang]')?.getAttribute('lang');
}

describe('a refusal that stays English says so', () => {
  it.each<[string, (error: ApiError) => ReactNode]>([
    ['in place of what could not be loaded', (error) => <ErrorState error={error} />],
    ['in place of a screen', (error) => <ErrorScreen error={error} reset={() => undefined} />],
    ['in a form', ({ message }) => <Refusal>{message}</Refusal>],
    ['at the sign-in', ({ message }) => <FormError>{message}</FormError>],
    [
      'in a question',
      ({ message }) => (
        <ConfirmDialog
          subject
          title="?"
          confirmLabel="OK"
          error={message}
          onConfirm={() => undefined}
          onCancel={() => undefined}
        />
      ),
    ],
  ])('%s', async (_where, draw) => {
    await renderView(draw(await refused()));
    expect(await language()).toBe('en');
  });

  it('in a message', async () => {
    const { message } = await refused();
    await renderView('');
    toast.error(message);
    expect(await language()).toBe('en');
  });
});
