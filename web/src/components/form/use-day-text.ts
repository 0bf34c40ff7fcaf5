import { useTranslation } from 'react-i18next';
import { formatDay } from '@/lib/time';
import { INCOMPLETE_DAY } from './day';

/** Returns a function that writes out the value of a day field, for the `format` of a form. */
export function useDayText(): (day: string) => string {
  const { t, i18n } = useTranslation();
  return (day) => {
    if (day === INCOMPLETE_DAY) return t('conflict.incompleteDay');
    return day && formatDay(day, i18n.language);
  };
}
