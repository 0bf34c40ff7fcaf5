import { ConflictError, isOutcomeUnknown } from './errors';

/**
 * Makes a change. If it fails although it may have been made, because its answer was lost or an earlier try was made, `look` is asked: it
 * resolves to what the change would have given, or to null if it was not made. The error of the change stands in this case, and where nothing
 * can be seen. `look` may throw an error of its own.
 */
export async function orMadeAlready<Result>(
  change: () => Promise<Result>,
  look: (error: unknown) => Promise<Result | null>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!isOutcomeUnknown(error) && !(error instanceof ConflictError)) throw error;
    const found = await look(error);
    if (found === null) throw error;
    return found;
  }
}
