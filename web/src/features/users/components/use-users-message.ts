import i18next from 'i18next';
import type { FieldError } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

/** The text of a field's error: ours by key, the server's as it came. */
export function useUsersMessage(): (error: FieldError | undefined) => string | undefined {
  const { t } = useTranslation('users');
  return (error) => {
    const message = error?.message;
    if (!message) return undefined;
    const isOurs = error.type !== 'server' && i18next.exists(message, { ns: 'users' });
    return isOurs ? t(message as 'invite.emailRequired') : message;
  };
}
