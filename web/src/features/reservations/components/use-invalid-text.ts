import type { FieldError, FieldErrors } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { InvalidKey, NewGuestValues } from '../new-guest.schema';

/** The most characters of fields that take other than 50. */
const LIMITS: Partial<Record<keyof NewGuestValues, number>> = { location: 100, overCapacityReason: 200 };

/** The text below a field: ours by its key, the server's as it came. */
export function useInvalidText(
  errors: FieldErrors<NewGuestValues>,
): (field: keyof NewGuestValues) => string | undefined {
  const { t } = useTranslation('reservations');
  return (field) => {
    const error = errors[field] as FieldError | undefined;
    if (!error?.message) return undefined;
    if (error.type === 'server') return error.message;
    return t(error.message as InvalidKey, { limit: LIMITS[field] ?? 50 });
  };
}
