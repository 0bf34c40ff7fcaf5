import { Anchor, Stack } from '@mantine/core';
import { zodResolver } from '@/lib/zod-resolver';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { applyFieldErrors } from '@/api/field-errors';
import { ValidationError } from '@/api/errors';
import { PhoneInput } from '@/components/phone-input';
import { SubmitButton } from '@/components/submit-button';
import { useSendCode } from '../api/code';
import { phoneSchema } from '../phone.schema';
import { type Failure, useAuthFailure } from '../ui/use-auth-error';
import { useAuthText } from '../use-auth-text';
import { AuthLayout } from './auth-layout';
import { FormError } from '../ui/form-error';

/** The phone to which codes go, asked once. */
export function PhoneForm({ returnTo }: { returnTo?: string }) {
  const { t } = useTranslation('auth');
  const text = useAuthText();
  const toFailure = useAuthFailure();
  const navigate = useNavigate();
  const sendCode = useSendCode();
  const [failure, setFailure] = useState<Failure>();
  const form = useForm({ resolver: zodResolver(phoneSchema), mode: 'onTouched', defaultValues: { phone: '' } });

  const handleSubmit = form.handleSubmit(async ({ phone }) => {
    if (sendCode.isPending) return;
    setFailure(undefined);
    try {
      const sent = await sendCode.mutateAsync(phone);
      await navigate({ to: '/two-factor-confirm', state: { signIn: { sent, returnTo, newPhone: phone } } });
    } catch (error) {
      if (!(error instanceof ValidationError)) return setFailure(toFailure(error));
      const rest = applyFieldErrors(form.setError, error, ['phone']);
      setFailure(rest === undefined ? undefined : { text: rest });
    }
  });

  return (
    <AuthLayout title={t('setup.title')} text={t('setup.text')}>
      <form onSubmit={(event) => void handleSubmit(event)} noValidate>
        <Stack gap="md">
          <Controller
            control={form.control}
            name="phone"
            render={({ field, fieldState }) => (
              <PhoneInput
                {...field}
                label={t('setup.phone')}
                required
                withAsterisk={false}
                error={text(fieldState.error?.message)}
              />
            )}
          />
          <SubmitButton fullWidth loading={sendCode.isPending}>
            {t('setup.submit')}
          </SubmitButton>
          <FormError failure={failure} />
          <Anchor renderRoot={(props) => <Link to="/logout" preload={false} {...props} />}>
            {t('confirm.toLogin')}
          </Anchor>
        </Stack>
      </form>
    </AuthLayout>
  );
}
