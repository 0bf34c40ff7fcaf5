import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import classes from './shell.module.css';

/** Says on every screen that an invitation waits for an answer. */
export function InvitationNotice() {
  const { t } = useTranslation('shell');
  const { pendingInvitations } = useUser();
  const { pathname } = useLocation();
  if (pendingInvitations === 0 || pathname === '/invitations') return null;
  return (
    <aside className={classes.notice} aria-label={t('invitations.label')}>
      <span>{t('invitations.waiting', { count: pendingInvitations })}</span>
      <Link to="/invitations">{t('invitations.answer')}</Link>
    </aside>
  );
}
