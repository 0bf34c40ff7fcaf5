import type { FieldError } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { MAX_BEDS } from '../houses.utils';

/** The text of a field's error: ours by key, the server's as it came. */
export function useFieldMessage(): (error: FieldError | undefined) => string | undefined {
  const { t } = useTranslation('houses');
  return (error) => {
    switch (error?.message) {
      case 'error.required':
        return t('error.required');
      case 'error.countRange':
        return t('error.countRange', { max: MAX_BEDS });
      default:
        return error?.message;
    }
  };
}
