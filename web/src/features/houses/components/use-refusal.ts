import { useState } from 'react';
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError } from '@/api/errors';
import { applyFieldErrors } from '@/api/field-errors';

/**
 * What stands under a form whose save was refused. When someone else changed the record first (412), what was typed
 * stays, `isStale` turns true, and the next save is made over the record as it is by then: the form must show it.
 */
export function useRefusal<Values extends FieldValues>(
  setError: UseFormSetError<Values>,
  fields: readonly Path<Values>[],
) {
  const [text, setText] = useState<string>();
  const [isStale, setIsStale] = useState(false);
  return {
    text,
    isStale,
    clear: () => setText(undefined),
    show: (error: unknown) => {
      const isBehind = error instanceof ApiError && error.status === 412;
      setIsStale((was) => was || isBehind);
      setText(isBehind ? undefined : applyFieldErrors(setError, error, fields));
    },
  };
}
