import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { LogOut, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';

const LOOK = { variant: 'subtle', color: 'gray', px: 'xs', justify: 'flex-start' } as const;

/** To the profile of whoever is fully signed in (spec A section 2, Navigation). */
export function ProfileLink() {
  const { t } = useTranslation('shell');
  return (
    <Button
      {...LOOK}
      leftSection={<UserRound size={18} aria-hidden />}
      renderRoot={(props) => <Link to="/user-settings" {...props} />}
    >
      {t('profile')}
    </Button>
  );
}

/** Ends the session, or half a sign-in. */
export function LogoutLink() {
  const { t } = useTranslation('shell');
  return (
    <Button
      {...LOOK}
      leftSection={<LogOut size={18} aria-hidden />}
      renderRoot={(props) => <Link to="/logout" preload={false} {...props} />}
    >
      {t('logout')}
    </Button>
  );
}
