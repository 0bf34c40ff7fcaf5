import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { isPaid, PaymentRefusal, useRestartSubscription } from '../api/pay';
import { usePaymentErrorText } from '../use-payment-error-text';

interface RestartSubscriptionProps {
  organizationId: string;
  subject: Schemas['SubscriptionSummary'] | null;
  onClose: () => void;
}

/** Asks before the open payment of a site is made with the default card. */
export function RestartSubscription({ organizationId, subject, onClose }: RestartSubscriptionProps) {
  const { t } = useTranslation('billing');
  const restart = useRestartSubscription(organizationId);
  const refusalText = usePaymentErrorText();
  return (
    <ConfirmMutation
      subject={subject}
      title={t('restart.title')}
      confirmLabel={t('action.restart')}
      run={async ({ siteId }) => {
        const now = await restart.mutateAsync(siteId);
        if (!isPaid(now)) throw new PaymentRefusal(now.isConfirmed ? t('notSeenYet') : t('notPaid'));
        return now;
      }}
      done={({ siteName }) => t('started', { site: siteName })}
      refusalText={refusalText}
      onClose={onClose}
    >
      {({ siteName }) => <Text>{t('restart.text', { site: siteName })}</Text>}
    </ConfirmMutation>
  );
}
