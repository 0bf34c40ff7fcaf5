import { Ban, CircleCheck, MailQuestion } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '@/components/status-badge';
import type { AccessUser } from '../api/types';

const LOOKS = {
  PendingInvitation: { tone: 'yellow', Icon: MailQuestion },
  Active: { tone: 'green', Icon: CircleCheck },
  Disabled: { tone: 'gray', Icon: Ban },
} as const;

/** Invited, Active or Disabled: shape, word and color. */
export function MembershipBadge({ status }: { status: AccessUser['membershipStatus'] }) {
  const { t } = useTranslation('users');
  const { tone, Icon } = LOOKS[status];
  return (
    <StatusBadge tone={tone} icon={<Icon size={14} aria-hidden />}>
      {t(`status.${status}`)}
    </StatusBadge>
  );
}
