import { Ban, CircleCheck, MailQuestion } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '@/components/status-badge';
import type { DashboardUser } from '../dashboard.utils';

const LOOKS = {
  PendingInvitation: { tone: 'yellow', icon: MailQuestion },
  Active: { tone: 'green', icon: CircleCheck },
  Disabled: { tone: 'gray', icon: Ban },
} as const;

/** Invited, Active or Disabled: shape, word and colour. */
export function UserStatus({ status }: { status: DashboardUser['membershipStatus'] }) {
  const { t } = useTranslation('dashboard');
  const { tone, icon: Icon } = LOOKS[status];
  return (
    <StatusBadge tone={tone} icon={<Icon size={14} aria-hidden />}>
      {t(`status.${status}`)}
    </StatusBadge>
  );
}
