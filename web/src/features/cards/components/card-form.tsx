import { zodResolver } from '@/lib/zod-resolver';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { ApiError } from '@/api/errors';
import { applyFieldErrors } from '@/api/field-errors';
import { SubmitButton } from '@/components/submit-button';
import { toast } from '@/components/toast';
import { useErrorText } from '@/components/use-error-text';
import { useAddCard, useBeginSetup } from '../api/save-card';
import { cardParts } from '../card.utils';
import { receiptsSchema, type ReceiptsValues } from '../schema';

interface CardFormProps {
  organizationId: string;
  isFirst: boolean;
  onClose: () => void;
}

/** What the card provider says about a card, in its own words. */
class CardRefusal extends Error {
  override name = 'CardRefusal';
}

/** The e-mail address where it is needed, the card provider's fields, Save. What was typed stays after a refusal. */
export function CardForm({ organizationId, isFirst, onClose }: CardFormProps) {
  const { t } = useTranslation(['cards', 'common']);
  const [stripe, elements] = [useStripe(), useElements()];
  const user = useUser();
  const errorText = useErrorText();
  const begin = useBeginSetup(organizationId);
  const add = useAddCard(organizationId);
  /** A card that the card provider has taken and we have not: only the last step is tried again. */
  const [taken, setTaken] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const { register, handleSubmit, setError, formState } = useForm<ReceiptsValues>({
    resolver: isFirst ? zodResolver(receiptsSchema) : undefined,
    mode: 'onTouched',
    defaultValues: { email: user.email },
  });
  const { errors, isSubmitting } = formState;
  const emailError = errors.email?.message;

  const submit = handleSubmit(async (values) => {
    if (!stripe || !elements) return;
    setRefusal(undefined);
    const email = isFirst ? values.email : undefined;
    try {
      const method = taken ?? (await take(stripe, elements, async () => (await begin.mutateAsync(email)).clientSecret));
      setTaken(method);
      if (method === undefined) return;
      const card = await add.mutateAsync({ externalSavedPaymentMethodId: method, email });
      toast.success(t('done.added', cardParts(card)));
      onClose();
    } catch (error) {
      if (error instanceof CardRefusal) {
        setRefusal(error.message);
      } else {
        // A card that the server does not take is entered anew.
        if (error instanceof ApiError && error.status === 422) setTaken(undefined);
        setRefusal(error instanceof ApiError ? applyFieldErrors(setError, error, ['email']) : errorText(error));
      }
    }
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {isFirst ? (
          <TextInput
            type="email"
            label={t('add.email')}
            description={t('add.emailHint')}
            autoComplete="email"
            required
            error={errors.email?.type === 'server' ? emailError : emailError ? t(emailError as 'error.email') : null}
            {...register('email')}
          />
        ) : null}
        <PaymentElement options={{ layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never' } }} />
        <Text c="dimmed" size="sm">
          {t('add.hint')}
        </Text>
        {refusal ? (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={isSubmitting}>
            {t('common:action.cancel')}
          </Button>
          <SubmitButton loading={isSubmitting} disabled={!stripe}>
            {t('add.save')}
          </SubmitButton>
        </Group>
      </Stack>
    </form>
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
