import {
  BedDouble,
  CalendarClock,
  CircleSlash,
  CircleX,
  Hourglass,
  LogOut,
  Merge,
  TimerOff,
  UserX,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge, type StatusTone } from '@/components/status-badge';
import { type ShownStatus, shownStatus } from './guest-facts.utils';

const LOOKS: Record<ShownStatus, { tone: StatusTone; icon: typeof BedDouble }> = {
  pending: { tone: 'yellow', icon: Hourglass },
  accepted: { tone: 'brand', icon: BedDouble },
  reassigned: { tone: 'brand', icon: BedDouble },
  arriving: { tone: 'blue', icon: CalendarClock },
  noShow: { tone: 'gray', icon: UserX },
  cancelled: { tone: 'gray', icon: CircleSlash },
  merged: { tone: 'gray', icon: Merge },
  rejected: { tone: 'red', icon: CircleX },
  discharged: { tone: 'gray', icon: LogOut },
  expired: { tone: 'gray', icon: TimerOff },
};

/** The state of a guest as word and sign. */
export function GuestStatusBadge({ guest }: { guest: Parameters<typeof shownStatus>[0] }) {
  const { t } = useTranslation('guests');
  const status = shownStatus(guest);
  const { tone, icon: Icon } = LOOKS[status];
  return (
    <StatusBadge tone={tone} icon={<Icon size={14} aria-hidden />}>
      {t(`status.${status}`)}
    </StatusBadge>
  );
}
