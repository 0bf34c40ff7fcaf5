import { http, HttpResponse } from 'msw';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import i18next from 'i18next';
import { applyFieldErrors } from './field-errors';
import { client, unwrap } from './client';
import { type ApiError, NetworkError } from './errors';
import { foreignLanguage } from './problem-words';
import { serve } from '@/testing/server';

/** What a call that the server refuses with `body` throws. */
async function refused(status: number, body: object): Promise<ApiError> {
  serve(http.get('/api/Sites/:id', () => HttpResponse.json(body, { status })));
  const call = unwrap(client.GET('/api/Sites/{id}', { params: { path: { id: 'site' } } }));
  return call.then(
    () => {
      throw new Error('The call was not refused.');
    },
    (error: unknown) => error as ApiError,
  );
}

describe('a refusal in English', () => {
  it('is what the server said, without any file of words', async () => {
    const error = await refused(409, { code: 'own-bed', message: 'Error: Guest already occupies this bed.' });
    expect(error.message).toBe('Error: Guest already occupies this bed.');
    expect(i18next.hasResourceBundle('en', 'server')).toBe(false);
  });
});

describe('a refusal in Spanish', () => {
  beforeAll(async () => {
    await i18next.changeLanguage('es');
  });
  afterAll(async () => {
    await i18next.changeLanguage('en');
  });

  it('has the words of its code', async () => {
    const error = await refused(409, { code: 'own-bed', message: 'Error: Guest already occupies this bed.' });
    expect(error.message).toBe('Error: el huésped ya ocupa esta cama.');
    expect(error.code).toBe('own-bed');
    expect(foreignLanguage(error.message)).toBeUndefined();
  });

  it('says the values of its sentence', async () => {
    const message = 'Too many attempts. Please wait 34 seconds and try again.';
    const error = await refused(429, { code: 'too-many-attempts', message, values: { seconds: '34' } });
    expect(error.message).toBe('Demasiados intentos. Espere 34 segundos e inténtelo de nuevo.');
  });

  it('has Spanish words beside its fields', async () => {
    const errors = [
      { pointer: '/phone', code: 'invalid-phone', message: 'Phone number is incorrect' },
      { pointer: '/nowhere', code: 'required', message: 'Required field.' },
    ];
    const error = await refused(422, { code: 'invalid-fields', message: 'Please check the marked fields.', errors });
    const set: unknown[] = [];
    const rest = applyFieldErrors<{ phone: string }>((name, { message }) => set.push([name, message]), error, [
      'phone',
    ]);
    expect(set).toEqual([['phone', 'El número de teléfono no es correcto']]);
    expect(rest).toBe('Campo obligatorio.');
  });

  it('of the sign-in keeps the word that screens switch on', async () => {
    const message = 'Email or password is incorrect.';
    const body = { error: 'invalid_grant', error_description: message, code: 'wrong-credentials' };
    const error = await refused(400, body);
    expect([error.code, error.message]).toEqual([
      'invalid_grant',
      'El correo electrónico o la contraseña no son correctos.',
    ]);
  });

  it('stays English, and is marked as English, where it has no words', async () => {
    const error = await refused(422, { code: 'untranslated', message: 'Do not honor.' });
    expect(error.message).toBe('Do not honor.');
    expect(foreignLanguage(error.message)).toBe('en');
  });

  it('that never came says so', () => {
    expect(new NetworkError().message).toBe(
      'No se puede conectar con el servidor. Revise su conexión e inténtelo de nuevo.',
    );
  });
});
