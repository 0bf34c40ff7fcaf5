import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';

/** The payment options of non-commercial sites, by their codes (spec A section 3). */
export const PAYMENT_OPTIONS = ['pp', 'ss', 'sch', 'ins', 'moc', 'mla', 'msd'] as const;

interface Entry {
  id: string;
  name: string;
}

/**
 * Names of the server's catalogue in the user's language. The server says them in English; what it offers and these
 * texts do not know yet (a newer server, an older page) keeps the server's name.
 */
export function useCatalogNames() {
  const { t } = useTranslation('catalog');
  return useMemo(
    () => ({
      service: ({ id, name }: Entry) => t(`service.${id}` as 'service.prenatal', { defaultValue: name }),
      language: ({ id, name }: Entry) => t(`language.${id}` as 'language.en', { defaultValue: name }),
      /** A payment option of a non-commercial site. */
      payment: ({ id, name }: Entry) => t(`payment.${id}` as 'payment.pp', { defaultValue: name }),
      /** A way to pay at a commercial organization. */
      method: ({ category, name }: { category: Schemas['PaymentMethod']; name: string }) =>
        t(`method.${category}`, { defaultValue: name }),
    }),
    [t],
  );
}
