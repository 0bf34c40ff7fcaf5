import { Alert, Anchor, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { zodResolver } from '@/lib/zod-resolver';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { usePublicSettings } from '@/features/shell/api/public-settings';
import { readPreference, writePreference } from '@/lib/preferences';
import { SubmitButton } from '@/components/submit-button';
import { lastUnsaved, wasUnconfirmed } from '@/lib/session-end';
import { usePasswordSignIn } from '../api/sign-in';
import { signInSchema } from '../schema';
import { type Failure, useAuthFailure } from '../ui/use-auth-error';
import { useAuthText } from '../use-auth-text';
import { AgreementCheckbox } from '@/features/legal/ui/agreement-checkbox';
import { AuthLayout } from './auth-layout';
import { FormError } from '../ui/form-error';

interface SignInFormProps {
  returnTo?: string;
  /** Why the user is here again. */
  reason?: 'idle' | 'invitation';
}

/** Email, password and the two agreements: the first step (spec A section 2, Login screen). */
export function SignInForm({ returnTo, reason }: SignInFormProps) {
  const { t } = useTranslation('auth');
  const text = useAuthText();
  const toFailure = useAuthFailure('signIn.wrong');
  const navigate = useNavigate();
  const settings = usePublicSettings();
  const signIn = usePasswordSignIn();
  const [failure, setFailure] = useState<Failure>();
  const form = useForm({
    resolver: zodResolver(signInSchema),
    mode: 'onTouched',
    defaultValues: { email: '', password: '', terms: false as unknown as true, agreement: false as unknown as true },
  });
  const { errors } = form.formState;
  const version = settings?.agreementsVersion;
  const wereAccepted = version !== undefined && readPreference('agreements') === version;
  const { setValue } = form;
  useEffect(() => {
    if (!wereAccepted) return;
    setValue('terms', true);
    setValue('agreement', true);
  }, [setValue, wereAccepted]);

  const unsaved = lastUnsaved();
  const agreementsError = errors.terms?.message ?? errors.agreement?.message;

  const handleSubmit = form.handleSubmit(async ({ email, password }) => {
    if (signIn.isPending) return;
    setFailure(undefined);
    try {
      const next = await signIn.mutateAsync({ email, password, agreements: version ?? '' });
      if (version) writePreference('agreements', version);
      await navigate({ to: next.to, state: { signIn: { ...next.signIn, returnTo } } });
    } catch (error) {
      const failed = toFailure(error);
      setFailure({ ...failed, text: failed.text || t('signIn.failed') });
      form.setFocus('password', { shouldSelect: true });
    }
  });

  return (
    <AuthLayout title={t('signIn.title')}>
      {wasUnconfirmed() ? <Alert color="yellow">{t('signIn.unconfirmed')}</Alert> : null}
      {reason ? <Alert color="yellow">{t(reason === 'idle' ? 'signIn.idle' : 'signIn.invitation')}</Alert> : null}
      {unsaved ? <Alert color="yellow">{t(unsaved === 'form' ? 'signIn.unsaved' : 'signIn.refused')}</Alert> : null}
      {returnTo && !reason ? <Text>{t('signIn.ended')}</Text> : null}
      <form onSubmit={(event) => void handleSubmit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            type="email"
            label={t('signIn.email')}
            autoComplete="username"
            required
            withAsterisk={false}
            error={text(errors.email?.message)}
            {...form.register('email')}
          />
          <PasswordInput
            label={t('signIn.password')}
            autoComplete="current-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
            error={text(errors.password?.message)}
            {...form.register('password')}
          />
          <Stack gap="xs">
            {(['terms', 'agreement'] as const).map((name) => (
              <Controller
                key={name}
                control={form.control}
                name={name}
                render={({ field }) => (
                  <AgreementCheckbox
                    document={name}
                    label={t(name === 'terms' ? 'signIn.acceptTerms' : 'signIn.acceptAgreement')}
                    checked={field.value}
                    error={Boolean(errors[name])}
                    onChange={(checked) => {
                      form.setValue(name, checked as true, { shouldValidate: form.formState.isSubmitted });
                    }}
                  />
                )}
              />
            ))}
            {wereAccepted ? (
              <Text size="sm" c="dimmed">
                {t('signIn.acceptedBefore')}
              </Text>
            ) : null}
          </Stack>
          <SubmitButton size="md" fullWidth loading={signIn.isPending}>
            {t('signIn.submit')}
          </SubmitButton>
          <FormError failure={failure}>{text(agreementsError)}</FormError>
          <Anchor renderRoot={(props) => <Link to="/restore-password" {...props} />}>{t('signIn.forgot')}</Anchor>
        </Stack>
      </form>
    </AuthLayout>
  );
}
