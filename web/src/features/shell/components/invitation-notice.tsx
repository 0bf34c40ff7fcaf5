import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './shell.module.css';

/** Says on every screen that an invitation waits for an answer. */
export function InvitationNotice({ count }: { count: number }) {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  if (pathname === '/invitations') return null;
  return (
    <aside className={classes.notice} aria-label={t('invitations.label')}>
      <span>{t('invitations.waiting', { count })}</span>
      <Link to="/invitations">{t('invitations.answer')}</Link>
    </aside>
  );
}
