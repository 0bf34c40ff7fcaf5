import { Clock, Hourglass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatCountdown } from '@/lib/format';
import { useNow } from '@/components/use-now';
import classes from './guest-facts.module.css';
import { holdLeft, type HoldLeft as Left } from './hold.utils';

/** How long a reservation is still held, in words, counting down; N/A for guests added by hand. */
export function HoldLeft({ expiresAt }: { expiresAt: string | null }) {
  const { t } = useTranslation();
  if (expiresAt === null) return t('notAvailable');
  return <Countdown expiresAt={Date.parse(expiresAt)} />;
}

function Countdown({ expiresAt }: { expiresAt: number }) {
  const { t } = useTranslation('guests');
  const left = holdLeft(expiresAt, useNow(1000));
  const Icon = left.kind === 'over' ? Hourglass : Clock;
  return (
    <span className={classes.hold} data-urgent={left.kind === 'over' || left.isUrgent}>
      <Icon size={14} aria-hidden />
      {textOf(left, t)}
    </span>
  );
}

function textOf(left: Left, t: ReturnType<typeof useTranslation<'guests'>>['t']): string {
  switch (left.kind) {
    case 'over':
      return t('hold.over');
    case 'seconds':
      return t('hold.seconds', { time: formatCountdown(left.seconds) });
    case 'minutes':
      return t('hold.minutes', { minutes: left.minutes });
    case 'hours':
      return t('hold.hours', { hours: left.hours, minutes: left.minutes });
  }
}
