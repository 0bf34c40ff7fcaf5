import { useErrorText } from '@/components/use-error-text';
import { PaymentRefusal } from './api/pay';

/** The sentence for a failed payment: the bank's own words where it gave some. */
export function usePaymentErrorText(): (error: unknown) => string {
  const errorText = useErrorText();
  return (error) => (error instanceof PaymentRefusal ? error.message : errorText(error));
}
