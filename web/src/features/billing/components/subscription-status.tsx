import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { StatusBadge } from '@/components/status-badge';
import { formatDate } from '@/lib/time';
import { STATUS_TONES } from '../billing.utils';
import classes from './billing.module.css';

interface SubscriptionStatusProps {
  subscription: Pick<Schemas['SiteSubscription'], 'status' | 'isActive' | 'paidPeriodEnd'>;
}

/** The status in words. A canceled subscription says until when its paid period can be used. */
export function SubscriptionStatus({ subscription }: SubscriptionStatusProps) {
  const { t, i18n } = useTranslation('billing');
  const { status, isActive, paidPeriodEnd } = subscription;
  return (
    <span className={classes.status}>
      <StatusBadge tone={STATUS_TONES[status]}>{t(`status.${status}`)}</StatusBadge>
      {status === 'canceled' && isActive && paidPeriodEnd ? (
        <span className={classes.more}>{t('usableUntil', { date: formatDate(paidPeriodEnd, i18n.language) })}</span>
      ) : null}
      {status === 'unpaid' ? <span className={classes.more}>{t('payInvoice')}</span> : null}
    </span>
  );
}
