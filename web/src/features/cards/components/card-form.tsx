import { Text, TextInput } from '@mantine/core';
import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { ApiError } from '@/api/errors';
import { FormFrame } from '@/components/form/form-frame';
import { WORKS_WHILE_SENT } from '@/components/form/use-held-fields';
import { useSaveForm } from '@/components/form/use-save-form';
import { useAddCard, useBeginSetup } from '../api/save-card';
import { cardParts } from '../ui/card.utils';
import { anyEmailSchema, receiptsSchema } from '../schema';

interface CardFormProps {
  organizationId: string;
  isFirst: boolean;
  /** After the card was saved. */
  onDone: () => void;
}

/** What the card provider says about a card, in its own words. */
class CardRefusal extends Error {
  override name = 'CardRefusal';
}

/** The email address where it is needed, the card provider's fields, Save. What was typed stays after a refusal. */
export function CardForm({ organizationId, isFirst, onDone }: CardFormProps) {
  const { t } = useTranslation('cards');
  const [stripe, elements] = [useStripe(), useElements()];
  const user = useUser();
  const begin = useBeginSetup(organizationId);
  const add = useAddCard(organizationId);
  const [isCardTyped, setCardTyped] = useState(false);
  /** A card that the card provider has taken and we have not: only the last step is tried again. */
  const [taken, setTaken] = useState<string>();
  const form = useSaveForm({
    schema: isFirst ? receiptsSchema : anyEmailSchema,
    labels: { email: t('add.email') },
    values: { email: user.email },
    save: async (values) => {
      if (!stripe || !elements) return false;
      const email = isFirst ? values.email : undefined;
      const method = taken ?? (await take(stripe, elements, async () => (await begin.mutateAsync(email)).clientSecret));
      if (method === undefined) return false;
      setTaken(method);
      return add.mutateAsync({ externalSavedPaymentMethodId: method, email });
    },
    done: (card) => t('done.added', cardParts(card)),
    onDone,
    describeError: (error) => {
      // A card that the server does not take is entered anew.
      if (error instanceof ApiError && error.status === 422) setTaken(undefined);
      return error instanceof CardRefusal ? { text: error.message } : undefined;
    },
    isUnsaved: isCardTyped,
  });

  return (
    <FormFrame form={form} submitLabel={t('add.save')} isBlocked={!stripe}>
      {isFirst ? (
        <TextInput
          {...form.field('email')}
          type="email"
          description={t('add.emailHint')}
          autoComplete="email"
          required
        />
      ) : null}
      <div {...WORKS_WHILE_SENT}>
        <PaymentElement
          options={{ layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never' } }}
          onChange={({ empty }) => {
            setCardTyped(!empty);
            // Another card is another card: the one that was taken is not saved in its place.
            setTaken(undefined);
          }}
        />
      </div>
      <Text c="dimmed" size="sm">
        {t('add.hint')}
      </Text>
    </FormFrame>
  );
}

/** Gives the card to the card provider and returns its name there; undefined while a field of it is wrong. */
async function take(
  stripe: Stripe,
  elements: StripeElements,
  secretOf: () => Promise<string>,
): Promise<string | undefined> {
  const checked = await elements.submit();
  if (checked.error) {
    // What is wrong with a field stands at the field.
    if (checked.error.type === 'validation_error') return undefined;
    throw new CardRefusal(checked.error.message);
  }
  const { error, setupIntent } = await stripe.confirmSetup({
    elements,
    clientSecret: await secretOf(),
    confirmParams: { return_url: location.href },
    redirect: 'if_required',
  });
  if (error) throw new CardRefusal(error.message);
  const method = setupIntent.payment_method;
  return typeof method === 'string' ? method : method?.id;
}
