import { Ban, CircleCheck, MailQuestion } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { StatusBadge, type StatusTone } from '@/components/status-badge';
import type { AccessUser } from '@/features/users/api/types';
import classes from './organizations.module.css';

const LOOKS: Record<AccessUser['membershipStatus'], { tone: StatusTone; Icon: typeof Ban }> = {
  PendingInvitation: { tone: 'yellow', Icon: MailQuestion },
  Active: { tone: 'green', Icon: CircleCheck },
  Disabled: { tone: 'gray', Icon: Ban },
};

interface UserRowProps {
  user: AccessUser;
  /** Role and place, where people of several stand together. */
  place?: string;
  children?: ReactNode;
}

/** The name of a person, or the email of one who has not come yet. */
export function nameOf({ firstName, lastName, user }: AccessUser): string {
  return `${firstName} ${lastName}`.trim() || user.email;
}

/** One person in a list: name, email, place, state; what may be done stands at the end. */
export function UserRow({ user, place, children }: UserRowProps) {
  const { t } = useTranslation('users');
  const isOwn = useUser().id === user.user.id;
  const { tone, Icon } = LOOKS[user.membershipStatus];
  const name = nameOf(user);
  return (
    <li className={`${classes.row} ${classes.person}`}>
      <span className={classes.words}>
        <span className={classes.name}>{name}</span>
        {name === user.user.email ? null : <span className={classes.more}>{user.user.email}</span>}
        {place ? <span className={classes.more}>{place}</span> : null}
      </span>
      <span className={classes.states}>
        {isOwn ? <StatusBadge tone="brand">{t('you')}</StatusBadge> : null}
        <StatusBadge tone={tone} icon={<Icon size={14} aria-hidden />}>
          {t(`status.${user.membershipStatus}`)}
        </StatusBadge>
      </span>
      <span className={classes.deeds}>{children}</span>
    </li>
  );
}
