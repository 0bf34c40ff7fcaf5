import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { LogOut, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';

const LOOK = { variant: 'subtle', color: 'gray', px: 'xs', justify: 'flex-start' } as const;

interface AccountLinkProps {
  /** The link was pressed. */
  onNavigate?: () => void;
}

/** To the profile of whoever is fully signed in (spec A section 2, Navigation). */
export function ProfileLink({ onNavigate }: AccountLinkProps) {
  const { t } = useTranslation('shell');
  return (
    <Button
      {...LOOK}
      leftSection={<UserRound size={18} aria-hidden />}
      renderRoot={(props) => <Link to="/user-settings" {...props} onClick={onNavigate} />}
    >
      {t('profile')}
    </Button>
  );
}

/**
 * Ends the session, or half a sign-in. The screen loads with the link, which ends nothing: without a network it could not
 * be loaded any more, and the browser would show its own error page over a session that goes on.
 */
export function LogoutLink({ onNavigate }: AccountLinkProps) {
  const { t } = useTranslation('shell');
  return (
    <Button
      {...LOOK}
      leftSection={<LogOut size={18} aria-hidden />}
      renderRoot={(props) => <Link to="/logout" preload="render" {...props} onClick={onNavigate} />}
    >
      {t('logout')}
    </Button>
  );
}
