import { describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  apiErrorOf,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  PaymentRequiredError,
  mustWait,
  RateLimitedError,
  UnauthorizedError,
  ValidationError,
} from './errors';
import { applyFieldErrors, fieldOfPointer } from './field-errors';

const refusal = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  apiErrorOf(new Response(null, { status, headers }), body);

describe('a refused call becomes an error of its class', () => {
  it.each([
    [401, UnauthorizedError],
    [402, PaymentRequiredError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
    [412, ConflictError],
    [422, ValidationError],
    [429, RateLimitedError],
    [500, ApiError],
  ])('%i', (status, ErrorClass) => expect(refusal(status, { message: 'No.' })).toBeInstanceOf(ErrorClass));

  it('tells tries that were too many from a code that was just sent, which was none', () => {
    const wait = { 'Retry-After': '30' };
    expect(mustWait(refusal(429, { message: 'Too many.', code: 'throttled' }, wait))).toBe(true);
    expect(mustWait(refusal(429, { message: 'A code was sent.', code: 'code-just-sent' }, wait))).toBe(false);
    expect(mustWait(refusal(429, { message: 'Too many.' }))).toBe(false);
  });

  it('keeps sentence, code and time to wait', () => {
    const error = refusal(429, { message: 'Too many.', code: 'throttled' }, { 'Retry-After': '30' });
    expect(error).toMatchObject({ message: 'Too many.', code: 'throttled', retryAfterSeconds: 30, status: 429 });
  });

  it('reads the errors of /connect/token too', () => {
    const error = refusal(400, {
      error: 'invalid_grant',
      error_description: 'Email or password is incorrect.',
    });
    expect(error).toMatchObject({ message: 'Email or password is incorrect.', code: 'invalid_grant' });
  });

  it('shows short plain text, but never a page of markup', () => {
    expect(refusal(502, 'Bad gateway').message).toBe('Bad gateway');
    expect(refusal(502, '<html><body>Bad gateway</body></html>').message).toBe('The server returned error 502.');
    expect(refusal(500, undefined).message).toBe('The server returned error 500.');
  });
});

describe('field errors of a 422', () => {
  it('are named as the form names its fields', () => {
    expect(fieldOfPointer('/rooms/0/name')).toBe('rooms.0.name');
    expect(fieldOfPointer('#/a~1b/c~0d')).toBe('a/b.c~d');
  });

  it('go beside their fields, the first one focused; the rest is returned for the text under the form', () => {
    const setError = vi.fn<() => void>();
    const error = refusal(422, {
      message: 'Some fields are wrong.',
      errors: [
        { pointer: '/phone', message: 'Phone number is incorrect' },
        { pointer: '/gender', message: 'Gender is a required field.' },
        { pointer: '/other', message: 'Something else.' },
      ],
    });
    expect(applyFieldErrors(setError, error, ['phone', 'sex'], { gender: 'sex' })).toBe('Something else.');
    expect(setError.mock.calls).toEqual([
      ['phone', { type: 'server', message: 'Phone number is incorrect' }, { shouldFocus: true }],
      ['sex', { type: 'server', message: 'Gender is a required field.' }, { shouldFocus: false }],
    ]);
  });

  it('other refusals give their sentence, and what is no refusal is thrown on', () => {
    const setError = vi.fn<() => void>();
    expect(applyFieldErrors(setError, refusal(409, { message: 'Someone was first.' }), ['phone'])).toBe(
      'Someone was first.',
    );
    expect(applyFieldErrors(setError, refusal(422, { message: 'Wrong.' }), ['phone'])).toBe('Wrong.');
    expect(() => applyFieldErrors(setError, new TypeError('bug'), ['phone'])).toThrow('bug');
  });
});
