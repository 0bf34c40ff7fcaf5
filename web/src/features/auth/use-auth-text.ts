import i18next from 'i18next';
import { useTranslation } from 'react-i18next';

/** Turns the message of a form field into words: our schemas give keys, the server gives sentences. */
export function useAuthText(): (message: string | undefined) => string | undefined {
  const { t } = useTranslation(['auth', 'common']);
  return (message) => {
    if (message === undefined) return undefined;
    if (i18next.exists(message, { ns: 'auth' })) return t(message as 'confirm.invalid');
    return i18next.exists(message, { ns: 'common' }) ? t(`common:${message as 'phone.incorrect'}`) : message;
  };
}
