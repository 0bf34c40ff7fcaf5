import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { formatDate } from '@/lib/time';
import { useCancelSubscription } from '../api/change-subscription';

interface CancelSubscriptionProps {
  organizationId: string;
  subject: Schemas['SubscriptionSummary'] | null;
  onClose: () => void;
}

/** Asks before the subscription of a site is canceled. */
export function CancelSubscription({ organizationId, subject, onClose }: CancelSubscriptionProps) {
  const { t, i18n } = useTranslation('billing');
  const cancel = useCancelSubscription(organizationId);
  return (
    <ConfirmMutation
      danger
      subject={subject}
      title={t('cancel.title')}
      confirmLabel={t('action.cancel')}
      cancelLabel={t('cancel.keep')}
      run={({ siteId }) => cancel.mutateAsync(siteId)}
      done={({ siteName }) => t('cancel.done', { site: siteName })}
      onClose={onClose}
    >
      {({ siteName, paidPeriodEnd }) => (
        <Text>
          {paidPeriodEnd
            ? t('cancel.textUntil', { site: siteName, date: formatDate(paidPeriodEnd, i18n.language) })
            : t('cancel.text', { site: siteName })}
        </Text>
      )}
    </ConfirmMutation>
  );
}
