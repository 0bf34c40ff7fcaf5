import { useCallback, useState } from 'react';
import type { UseFormSetError } from 'react-hook-form';
import { ApiError } from '@/api/errors';
import { useErrorText } from '@/components/use-error-text';
import { placeErrors } from './server-errors.utils';
import type { SiteFormValues } from './site-form.schema';

/** What the server refuses: beside the fields where it can be, else under the form. */
export function useServerErrors(setError: UseFormSetError<SiteFormValues>) {
  const errorText = useErrorText();
  const [refusal, setRefusal] = useState<string>();

  /** Shows an error and returns the names of the fields it was put beside. */
  const show = useCallback(
    (error: unknown): string[] => {
      const { placed, rest } = placeErrors((error instanceof ApiError && error.problem.errors) || []);
      for (const { name, message } of placed) {
        setError(name as keyof SiteFormValues, { type: 'server', message });
      }
      if (placed.length === 0) setRefusal(rest.length > 0 ? rest.join(' ') : errorText(error));
      else setRefusal(rest.length > 0 ? rest.join(' ') : undefined);
      return placed.map(({ name }) => name);
    },
    [errorText, setError],
  );

  return { refusal, setRefusal, show };
}
