import { notFound } from '@tanstack/react-router';
import { NotFoundError } from './errors';

/** For loaders: an object that is not there, or not for this user, shows the "not found" screen instead of an error. */
export async function orNotFound<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NotFoundError) throw notFound();
    throw error;
  }
}
