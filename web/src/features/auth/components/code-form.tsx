import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiError, RateLimitedError, UnauthorizedError } from '@/api/errors';
import { formatCountdown } from '@/lib/format';
import { formatPhone } from '@/lib/phone';
import { safeReturnPath } from '@/lib/text';
import { SubmitButton } from '@/components/submit-button';
import { useConfirmCode, useSendCode } from '../api/sign-in';
import { codeSchema } from '../schema';
import type { SignInState } from '../sign-in-state';
import { useAuthErrorText } from '../use-auth-error';
import { useAuthText } from '../use-auth-text';
import { useCountdown } from '../use-countdown';
import classes from './auth.module.css';
import { AuthLayout } from './auth-layout';
import { FormError } from './form-error';

/** Codes of the server that end this sign-in for good: too many tries, or too late. */
const OVER = new Set(['expired_token', 'invalid_token']);

/** The code from the message: the last step of a sign-in. */
export function CodeForm({ state }: { state: SignInState }) {
  const { t } = useTranslation('auth');
  const text = useAuthText();
  const errorText = useAuthErrorText('confirm.invalid');
  const navigate = useNavigate();
  const confirmCode = useConfirmCode();
  const sendCode = useSendCode();
  const [sent, setSent] = useState(state.sent);
  const [resendAt, setResendAt] = useState(state.sent?.resendAt ?? state.waitUntil ?? 0);
  const [notice, setNotice] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const secondsToResend = useCountdown(resendAt);
  const form = useForm({ resolver: zodResolver(codeSchema), mode: 'onSubmit', defaultValues: { code: '' } });

  const handleSubmit = form.handleSubmit(async ({ code }) => {
    if (confirmCode.isPending) return;
    setFailure(undefined);
    setNotice(undefined);
    try {
      await confirmCode.mutateAsync(code);
      await navigate({ href: safeReturnPath(state.returnTo) ?? '/', replace: true });
    } catch (error) {
      if (error instanceof UnauthorizedError || (error instanceof ApiError && OVER.has(error.code ?? '')))
        setIsOver(true);
      setFailure(errorText(error));
      form.setFocus('code', { shouldSelect: true });
    }
  });

  const handleResend = async () => {
    setFailure(undefined);
    try {
      const again = await sendCode.mutateAsync(state.newPhone);
      setSent(again);
      setResendAt(again.resendAt);
      setNotice(t('confirm.resent'));
      form.reset();
      form.setFocus('code');
    } catch (error) {
      if (error instanceof RateLimitedError) setResendAt(Date.now() + (error.retryAfterSeconds ?? 30) * 1000);
      setFailure(errorText(error));
    }
  };

  const introWithoutCode = state.waitUntil ? t('confirm.wait') : t('confirm.sentBefore');
  const intro = sent ? t('confirm.sentTo', { phone: formatPhone(sent.phone) || sent.phone }) : introWithoutCode;
  return (
    <AuthLayout title={t('confirm.title')} text={intro}>
      <form onSubmit={(event) => void handleSubmit(event)} noValidate>
        <Stack gap="md">
          <Controller
            control={form.control}
            name="code"
            render={({ field, fieldState }) => (
              <TextInput
                {...field}
                // Whatever is pasted around the digits goes: "Your code: 123 456".
                onChange={(event) => field.onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
                className={classes.code}
                label={t('confirm.code')}
                inputMode="numeric"
                autoComplete="one-time-code"
                required
                withAsterisk={false}
                data-autofocus
                error={text(fieldState.error?.message)}
              />
            )}
          />
          <SubmitButton fullWidth loading={confirmCode.isPending} disabled={isOver}>
            {t('confirm.submit')}
          </SubmitButton>
          <FormError>{failure ? (isOver ? `${failure} ${t('confirm.again')}` : failure) : null}</FormError>
          <span role="status" className={notice ? undefined : 'berth-hidden'}>
            {notice}
          </span>
          <Button
            variant="default"
            fullWidth
            className="tabular"
            loading={sendCode.isPending}
            disabled={secondsToResend > 0 || isOver}
            onClick={() => void handleResend()}
          >
            {secondsToResend > 0
              ? t('confirm.resendIn', { time: formatCountdown(secondsToResend) })
              : t('confirm.resend')}
          </Button>
          <Anchor renderRoot={(props) => <Link to="/logout" preload={false} {...props} />}>
            {t('confirm.toLogin')}
          </Anchor>
        </Stack>
      </form>
    </AuthLayout>
  );
}
