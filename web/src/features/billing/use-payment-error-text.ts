import { useTranslation } from 'react-i18next';
import { OfflineError } from '@/api/errors';
import { useErrorText } from '@/components/use-error-text';
import { OpenPaymentError, PaymentRefusal } from './api/pay';

/** The sentence for a failed payment: the bank's own words where it gave some. */
export function usePaymentErrorText(): (error: unknown) => string {
  const { t } = useTranslation('billing');
  const errorText = useErrorText();
  return (error) => {
    if (error instanceof PaymentRefusal) return error.message || t('declined');
    if (error instanceof OpenPaymentError) return t('stillOpen');
    return error instanceof OfflineError ? t('offline') : errorText(error);
  };
}
