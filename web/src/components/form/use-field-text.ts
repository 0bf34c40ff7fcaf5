import { type FieldError, type FieldErrors, type FieldValues, get } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

/**
 * Returns a function that gives the error text of a field. Messages of our schemas are keys (`textKeys`), those of the
 * server are shown as they are. Names may be nested; a list keeps its own error at its root.
 */
export function useFieldText<Values extends FieldValues>(
  errors: FieldErrors<Values>,
): (name: string) => string | undefined {
  const { t } = useTranslation();
  return (name) => {
    const found: (FieldError & { root?: FieldError }) | undefined = get(errors, name);
    const error = found?.message ? found : found?.root;
    if (!error?.message) return undefined;
    return error.type === 'server' ? error.message : t(error.message as 'form.required');
  };
}
