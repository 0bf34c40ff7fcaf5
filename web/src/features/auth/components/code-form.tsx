import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { zodResolver } from '@/lib/zod-resolver';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiError, RateLimitedError, UnauthorizedError } from '@/api/errors';
import { serverNow } from '@/lib/clock';
import { formatCountdown } from '@/lib/format';
import { formatPhone } from '@/lib/phone';
import { safeReturnPath } from '@/lib/return-path';
import { SubmitButton } from '@/components/submit-button';
import { useConfirmCode, useSendCode } from '../api/code';
import { type CodeMethod, METHODS } from '../code-method';
import type { SignInState } from '../sign-in-state';
import { type Failure, useAuthFailure } from '../ui/use-auth-error';
import { useAuthText } from '../use-auth-text';
import { useCountdown } from '../use-countdown';
import classes from './auth.module.css';
import { AuthLayout } from './auth-layout';
import { FormError } from '../ui/form-error';

/** Codes of the server that end this sign-in for good: too many tries, or too late. */
const OVER = new Set(['expired_token', 'invalid_token']);

interface CodeFormProps {
  state: SignInState;
  /** Whether the account has an authenticator app, and with it recovery codes. */
  hasTotp?: boolean;
}

/** The code from the message, of the app or of those saved: the last step of a sign-in. */
export function CodeForm({ state, hasTotp = false }: CodeFormProps) {
  const { t } = useTranslation('auth');
  const text = useAuthText();
  const toFailure = useAuthFailure('confirm.invalid');
  const navigate = useNavigate();
  const confirmCode = useConfirmCode();
  const sendCode = useSendCode();
  const [sent, setSent] = useState(state.sent);
  const [resendAt, setResendAt] = useState(state.sent?.resendAt ?? state.waitUntil ?? 0);
  const [notice, setNotice] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [isOver, setIsOver] = useState(false);
  const secondsToResend = useCountdown(resendAt);
  const [chosen, setChosen] = useState<CodeMethod>();
  const method = chosen ?? 'sms';
  const { schema, label, clean } = METHODS[method];
  const form = useForm({ resolver: zodResolver(schema), mode: 'onSubmit', defaultValues: { code: '' } });

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
      setFailure(toFailure(error));
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
      if (error instanceof RateLimitedError) setResendAt(serverNow() + (error.retryAfterSeconds ?? 30) * 1000);
      setFailure(toFailure(error));
    }
  };

  const handleMethod = (next: CodeMethod) => {
    setChosen(next);
    setFailure(undefined);
    setNotice(undefined);
    form.reset();
  };
  const { setFocus } = form;
  useEffect(() => {
    if (chosen) setFocus('code');
  }, [chosen, setFocus]);

  const waits = state.wasJustSent ? t('confirm.wait') : t('confirm.limit');
  const introWithoutCode = state.waitUntil ? waits : t('confirm.sentBefore');
  const intros = {
    sms: sent ? t('confirm.sentTo', { phone: formatPhone(sent.phone) || sent.phone }) : introWithoutCode,
    app: t('confirm.appText'),
    recovery: t('confirm.recoveryText'),
  };
  return (
    <AuthLayout title={t('confirm.title')} text={intros[method]}>
      <form onSubmit={(event) => void handleSubmit(event)} noValidate>
        <Stack gap="md">
          <Controller
            control={form.control}
            name="code"
            // Not the kit's PinInput: a paste counts whatever stands around the code, and one field takes recovery codes, too.
            render={({ field, fieldState }) => (
              <TextInput
                {...field}
                onChange={(event) => field.onChange(clean(event.currentTarget.value))}
                className={method === 'recovery' ? classes.longCode : classes.code}
                label={t(label)}
                inputMode={method === 'recovery' ? 'text' : 'numeric'}
                autoComplete={method === 'recovery' ? 'off' : 'one-time-code'}
                autoCapitalize="off"
                spellCheck={false}
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
          <FormError failure={failure && isOver ? { text: `${failure.text} ${t('confirm.again')}` } : failure} />
          <span role="status" className={notice ? undefined : 'berth-hidden'}>
            {notice}
          </span>
          {method === 'sms' ? (
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
          ) : null}
          {hasTotp ? <OtherMethods method={method} onMethod={handleMethod} /> : null}
          <Anchor renderRoot={(props) => <Link to="/logout" preload={false} {...props} />}>
            {t('confirm.toLogin')}
          </Anchor>
        </Stack>
      </form>
    </AuthLayout>
  );
}

interface OtherMethodsProps {
  method: CodeMethod;
  onMethod: (method: CodeMethod) => void;
}

/** The other ways to a code. */
function OtherMethods({ method, onMethod }: OtherMethodsProps) {
  const { t } = useTranslation('auth');
  return (
    <Stack gap={4} role="group" aria-label={t('confirm.others')}>
      {(['sms', 'app', 'recovery'] as const)
        .filter((other) => other !== method)
        .map((other) => (
          <Button key={other} variant="subtle" fullWidth onClick={() => onMethod(other)}>
            {t(METHODS[other].switchTo)}
          </Button>
        ))}
    </Stack>
  );
}
