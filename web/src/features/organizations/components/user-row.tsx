import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { EmailLink } from '@/components/contact-link';
import { StatusBadge } from '@/components/status-badge';
import type { AccessUser } from '@/features/users/api/types';
import { MembershipBadge } from '@/features/users/ui/membership-badge';
import { nameOf } from '@/features/users/ui/name-of';
import classes from './organizations.module.css';

interface UserRowProps {
  user: AccessUser;
  /** Role and place, where people of several stand together. */
  place?: string;
  children?: ReactNode;
}

/** One person in a list: name, email, place, state; what may be done stands at the end. */
export function UserRow({ user, place, children }: UserRowProps) {
  const { t } = useTranslation('users');
  const isOwn = useUser().id === user.user.id;
  const name = nameOf(user);
  return (
    <li className={`${classes.row} ${classes.person}`}>
      <span className={classes.words}>
        <span className={classes.name}>{name}</span>
        {name === user.user.email ? null : (
          <span className={classes.more}>
            <EmailLink email={user.user.email} />
          </span>
        )}
        {place ? <span className={classes.more}>{place}</span> : null}
      </span>
      <span className={classes.states}>
        {isOwn ? <StatusBadge tone="brand">{t('you')}</StatusBadge> : null}
        <MembershipBadge status={user.membershipStatus} />
      </span>
      <span className={classes.deeds}>{children}</span>
    </li>
  );
}
