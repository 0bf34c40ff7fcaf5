import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { zodResolver } from '@/lib/zod-resolver';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { NetworkError } from '@/api/errors';
import { SubmitButton } from '@/components/submit-button';
import { useErrorText } from '@/components/use-error-text';
import { useAskForReset } from '../api/restore';
import { AuthLayout } from './auth-layout';
import { FormError } from '../ui/form-error';

/** Messages are keys. */
const schema = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, { error: 'restore.emailRequired', abort: true }), z.email('common:form.email')),
});

/** Asks for a link to restore access. Whatever the server says, the result reads the same (spec A section 8). */
export function RestorePasswordForm() {
  const { t } = useTranslation(['account', 'common']);
  const errorText = useErrorText();
  const ask = useAskForReset();
  const [isDone, setIsDone] = useState(false);
  const [failure, setFailure] = useState<string>();
  const form = useForm({ resolver: zodResolver(schema), mode: 'onTouched', defaultValues: { email: '' } });

  const handleSubmit = form.handleSubmit(async ({ email }) => {
    if (ask.isPending) return;
    setFailure(undefined);
    try {
      await ask.mutateAsync(email);
      setIsDone(true);
    } catch (error) {
      // Only a call that never arrived is told: then there is no mail to wait for.
      if (error instanceof NetworkError) setFailure(errorText(error));
      else setIsDone(true);
    }
  });

  const problem = form.formState.errors.email?.message;
  const toLogin = <Anchor renderRoot={(props) => <Link to="/login" {...props} />}>{t('restore.toLogin')}</Anchor>;
  if (isDone) {
    return (
      <AuthLayout title={t('restore.doneTitle')}>
        <Text role="status">{t('restore.done')}</Text>
        {toLogin}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('restore.title')} text={t('restore.text')}>
      <form onSubmit={(event) => void handleSubmit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            type="email"
            label={t('restore.email')}
            autoComplete="username"
            required
            withAsterisk={false}
            error={problem ? t(problem as 'restore.emailRequired') : undefined}
            {...form.register('email')}
          />
          <SubmitButton fullWidth loading={ask.isPending}>
            {t('restore.submit')}
          </SubmitButton>
          <FormError>{failure}</FormError>
          {toLogin}
        </Stack>
      </form>
    </AuthLayout>
  );
}
