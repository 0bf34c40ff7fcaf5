import i18next from 'i18next';
import { wordsOf } from './problem-words';
import type { components } from './schema';

type ServerProblem = components['schemas']['Problem'];
type ServerFieldError = components['schemas']['FieldError'];

/**
 * The server's answer to a refused call (RFC 9457 with `message`; spec A section 8). Its sentences stand in the reader's
 * language here. An answer that did not come from the server itself may lack a code.
 */
export type Problem = Omit<ServerProblem, 'code' | 'errors'> & { code?: string; errors?: FieldProblem[] };

/** What is wrong with one field, in the reader's language. */
type FieldProblem = Pick<ServerFieldError, 'pointer' | 'message'> & Partial<ServerFieldError>;

/**
 * A call the server refused. Components switch on the class and on `code`, never on words.
 * `message` is the sentence to show, in the reader's language.
 */
export class ApiError extends Error {
  override name = 'ApiError';

  constructor(
    readonly status: number,
    readonly problem: Problem,
    /** Seconds until a new attempt makes sense (`Retry-After`), if the server said so. */
    readonly retryAfterSeconds?: number,
  ) {
    super(problem.message);
  }

  /** Stable machine word of the problem; undefined when the server gives none. */
  get code(): string | undefined {
    return this.problem.code ?? undefined;
  }
}

/** 401: nobody is signed in, or the session has ended. */
export class UnauthorizedError extends ApiError {
  override name = 'UnauthorizedError';
}
/** 402: accepting here needs a subscription (DESIGN section 6). */
export class PaymentRequiredError extends ApiError {
  override name = 'PaymentRequiredError';
}
/** 403: the caller sees the object but may not change it. */
export class ForbiddenError extends ApiError {
  override name = 'ForbiddenError';
}
/** 404: there is no such object, or the caller may not see it. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
/** 409 and 412: someone else was first. `problem.guest` is the guest as it now is. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
/** 422: fields are wrong, see `problem.errors`. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}
/** 429: too many attempts; see `retryAfterSeconds`. */
export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError';
}
/** The call never reached the server, or no answer came back. */
export class NetworkError extends ApiError {
  override name = 'NetworkError';

  constructor() {
    super(0, problemOf(0, sayOr('error.network', 'The server cannot be reached.'), 'network'));
  }
}
/** The browser had no network when the call was made: nothing was sent. */
export class OfflineError extends NetworkError {
  override name = 'OfflineError';
}

/** Returns true if the server refuses further tries for a while. To ask for another code too soon is not a try. */
export function mustWait(error: unknown): error is RateLimitedError & { retryAfterSeconds: number } {
  return error instanceof RateLimitedError && !!error.retryAfterSeconds && error.code !== 'code-just-sent';
}

/**
 * Returns true if a failed call may have had its effect all the same: no answer came back, or the server broke off. Such a call is
 * repeated with the same idempotency key.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error instanceof OfflineError) return false;
  return error instanceof NetworkError || error.status >= 500;
}

/** Another change of the same guest has no outcome yet: nothing was sent. */
export class PendingChangeError extends Error {
  override name = 'PendingChangeError';
}

const CLASS_OF_STATUS: Record<number, typeof ApiError> = {
  401: UnauthorizedError,
  402: PaymentRequiredError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  422: ValidationError,
  429: RateLimitedError,
};

/**
 * Builds the error for a refused answer. `body` may be a problem, an RFC 6749 error, plain text or nothing.
 * Await `loadProblemWords` before.
 */
export function apiErrorOf(response: Response, body: unknown): ApiError {
  const ErrorClass = CLASS_OF_STATUS[response.status] ?? ApiError;
  const retryAfter = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  return new ErrorClass(
    response.status,
    readProblem(response.status, body),
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}

/** The code of an answer that came without words of its own. */
export const NO_TEXT = 'no-text';

type Body = Partial<ServerProblem> & { error?: string; error_description?: string };

function readProblem(status: number, body: unknown): Problem {
  if (typeof body === 'object' && body !== null) {
    const fields = body as Body;
    const sentence = fields.message ?? fields.error_description ?? fields.detail ?? fields.title ?? fields.error;
    if (sentence) {
      const message = wordsOf({ message: sentence, code: fields.code, values: fields.values });
      // Of the errors of /connect/token, the word of RFC 6749 is the one that screens switch on.
      const code = fields.error ?? fields.code;
      const errors = fields.errors?.map((error) => ({ ...error, message: wordsOf(error) }));
      return {
        ...problemOf(status, message, code),
        ...fields,
        message,
        ...(code ? { code } : {}),
        ...(errors ? { errors } : {}),
      };
    }
  }
  if (typeof body === 'string' && body.length > 0 && body.length <= 200 && !body.includes('<')) {
    return problemOf(status, wordsOf({ message: body }));
  }
  const text = sayOr('error.noText', `The server returned error ${status}.`, { status });
  return problemOf(status, text, NO_TEXT);
}

/** A text of the app; in English as given before the texts are there. */
function sayOr(key: 'error.network' | 'error.noText', english: string, values?: Record<string, unknown>): string {
  return i18next.exists(key) ? String(i18next.t(key, values ?? {})) : english;
}

function problemOf(status: number, message: string, code?: string): Problem {
  return {
    type: 'about:blank',
    title: message,
    status,
    detail: message,
    message,
    instance: '',
    ...(code ? { code } : {}),
  };
}
