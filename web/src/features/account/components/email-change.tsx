import { Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { useUser } from '@/access/use-user';
import { FormError } from '@/features/auth/ui/form-error';
import { RateLimitedError } from '@/api/errors';
import { HeldForm } from '@/components/form/held-form';
import { emailBusynessQuery, useSendEmailLink } from '../api/profile';
import { type Failure, useAuthFailure } from '@/features/auth/ui/use-auth-error';
import { useFreshProof } from '@/features/auth/ui/use-fresh-proof';
import { OwnFact } from './own-fact';
import { SubmitRow } from './submit-row';

const schema = z.email();
/** Spec A section 9: the email check waits until nothing was typed for a second. */
const CHECK_AFTER_MILLISECONDS = 1000;

/** The email: shown, then a new one entered, then the notice to look into its mailbox. */
export function EmailChange() {
  const { t } = useTranslation(['account', 'common']);
  const user = useUser();
  const toFailure = useAuthFailure();
  const sendLink = useSendEmailLink();
  const { withProof, giveUp, dialog } = useFreshProof();
  const [step, setStep] = useState<'show' | 'enter' | 'sent'>('show');
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const email = typed.trim();
  const isSame = email.toLowerCase() === user.email.toLowerCase();
  const [settled] = useDebouncedValue(email, CHECK_AFTER_MILLISECONDS);
  const busyness = useQuery({
    ...emailBusynessQuery(settled),
    enabled: step === 'enter' && !isSame && settled === email && schema.safeParse(settled).success,
  });
  const isBusy = settled === email && busyness.data?.isBusy === true;
  const isKnownFree = settled === email && busyness.data?.isBusy === false;
  const isUnchecked = settled === email && busyness.error instanceof RateLimitedError;

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (sendLink.isPending || isBusy) return;
    setFailure(undefined);
    if (email === '') return setError(t('profile.emailRequired'));
    if (!schema.safeParse(email).success) return setError(t('profile.emailInvalid'));
    if (isSame) return setError(t('profile.emailSame'));
    try {
      if (await withProof(() => sendLink.mutateAsync(email))) setStep('sent');
    } catch (refusal) {
      setFailure(toFailure(refusal));
    }
  };

  return (
    <OwnFact
      label={t('profile.email')}
      value={user.email}
      changeLabel={t('profile.changeEmail')}
      onChange={() => setStep('enter')}
      step={step}
    >
      {step === 'sent' ? (
        <Stack gap="xs" role="status" tabIndex={-1}>
          <Text fw={600}>{t('profile.checkEmail')}</Text>
          <Text>{t(isKnownFree ? 'profile.checkEmailText' : 'profile.checkEmailIfFree', { email })}</Text>
        </Stack>
      ) : (
        <HeldForm isSending={sendLink.isPending} error={error} onSubmit={(event) => void handleSubmit(event)}>
          <Stack gap="md">
            <TextInput
              type="email"
              label={t('profile.newEmail')}
              description={isUnchecked ? t('profile.emailUnchecked') : undefined}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              autoComplete="email"
              required
              withAsterisk={false}
              value={typed}
              error={isBusy ? t('profile.emailTaken') : error}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                setError(undefined);
              }}
            />
            <FormError failure={failure} />
            <SubmitRow
              isSending={sendLink.isPending}
              label={t('profile.sendEmailLink')}
              onCancel={() => {
                giveUp();
                setStep('show');
              }}
            />
          </Stack>
          {dialog}
        </HeldForm>
      )}
    </OwnFact>
  );
}
