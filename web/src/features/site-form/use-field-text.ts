import { type FieldError, get, useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { InvalidKey, SiteFormValues } from './site-form.schema';

/** The text below a field of the form around: ours by its key, the server's as it came. Names may be nested. */
export function useFieldText(): (name: string) => string | undefined {
  const { t } = useTranslation('site-form');
  const { errors } = useFormState<SiteFormValues>();
  return (name) => {
    const found: (FieldError & { root?: FieldError }) | undefined = get(errors, name);
    // The list of a field array keeps its own error below `root`.
    const error = found?.message ? found : found?.root;
    if (!error?.message) return undefined;
    return error.type === 'server' ? error.message : t(`invalid.${error.message as InvalidKey}`);
  };
}
