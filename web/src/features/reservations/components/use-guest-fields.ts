import { useTranslation } from 'react-i18next';
import type { FieldForm } from '@/components/form/use-save-form';
import type { NewGuestValues } from '../new-guest.schema';
import type { NewGuestModel } from '../use-new-guest';
import { useInvalidText } from './use-invalid-text';

/** What the bound fields of the form for a new guest need: their labels, and what is wrong. */
export function useGuestFields({ form }: NewGuestModel): FieldForm<NewGuestValues> {
  const { t } = useTranslation('reservations');
  const invalid = useInvalidText(form.formState.errors);
  return {
    control: form.control,
    labels: {
      gender: t('form.gender'),
      ageServiceId: t('form.age'),
      phone: t('form.phone'),
      paymentMethod: t('form.paymentMethod'),
      insuranceCardFront: t('form.cardFront'),
      insuranceCardBack: t('form.cardBack'),
    },
    fieldText: (name) => invalid(name as keyof NewGuestValues),
  };
}
