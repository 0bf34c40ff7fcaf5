import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiError, ValidationError } from '@/api/errors';
import { foreignLanguage } from '@/api/problem-words';
import { SubmitButton } from '@/components/submit-button';
import { useErrorText } from '@/components/use-error-text';
import { useNow } from '@/components/use-now';
import { serverNow } from '@/lib/clock';
import { formatCountdown } from '@/lib/format';
import { formatPhone } from '@/lib/phone';
import { zodResolver } from '@/lib/zod-resolver';
import { askForReservation, confirmReservation } from '../api/public-changes';
import { codeSchema } from '../find.schema';
import { go } from '../use-address';
import { useInvalidText } from '../use-invalid-text';
import { useKnownOutcome } from '../use-known-outcome';
import type { PendingRequest, Reservation } from '../use-reservation';
import classes from './find.module.css';
import { Heading } from './heading';
import { RESEND_MILLISECONDS } from './reserve-view';
import { ViewLink } from './view-link';
import { WaitingNotice } from './waiting-notice';

interface CodeViewProps {
  request: PendingRequest;
  reservation: Reservation;
}

/** Whole seconds from `now` until an instant, at least 0. */
const secondsTo = (until: number, now: number) => Math.max(0, Math.ceil((until - now) / 1000));

/** The code from the phone, which makes the reservation. */
export function CodeView({ request, reservation }: CodeViewProps) {
  const { t } = useTranslation('find');
  const text = useInvalidText();
  const errorText = useErrorText();
  const confirming = useKnownOutcome();
  const resending = useKnownOutcome();
  const [failure, setFailure] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const [notice, setNotice] = useState<string>();
  const form = useForm({ resolver: zodResolver(codeSchema), mode: 'onSubmit', defaultValues: { code: '' } });
  const now = useNow(1000);
  const left = secondsTo(Date.parse(request.codeExpiresAt), now);
  const toResend = secondsTo(request.resendAt, now);
  const phone = request.body.phone ?? '';
  /** One key for one code: the same code once more is the same intent. */
  const intent = useRef({ id: '', code: '', key: '' });

  const confirm = async ({ code }: { code: string }) => {
    setFailure(undefined);
    setNotice(undefined);
    if (intent.current.id !== request.id || intent.current.code !== code) {
      intent.current = { id: request.id, code, key: crypto.randomUUID() };
    }
    const { key } = intent.current;
    try {
      const made = await confirming.send((signal) => confirmReservation(request.id, code, { key, signal }));
      if (!made) return;
      reservation.finish({ code: made.code, digits: phone.slice(-4) });
      go({ name: 'reservation' }, { replace: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error instanceof ValidationError) {
        form.setError('code', { message: t('code.wrong') }, { shouldFocus: true });
      } else {
        setIsOver(error.code === 'not-available');
        setFailure(errorText(error));
      }
    }
  };

  const handleResend = async () => {
    setFailure(undefined);
    setNotice(undefined);
    const key = crypto.randomUUID();
    try {
      const asked = await resending.send((signal) => askForReservation(request.body, { key, signal }));
      if (!asked) return;
      const { id, codeExpiresAt } = asked;
      const resendAt = serverNow() + RESEND_MILLISECONDS;
      reservation.setRequest({ ...request, key, id, codeExpiresAt, resendAt });
      form.reset();
      form.setFocus('code');
      setNotice(t('code.resent'));
    } catch (error) {
      setFailure(errorText(error));
    }
  };
  const { setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);
  const waiting = confirming.waiting ?? resending.waiting;
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(confirm)(event)}>
      <Stack gap="lg">
        <Stack gap="xs">
          <Heading>{t('code.title')}</Heading>
          <Text>{t('code.sent', { phone: formatPhone(phone) })}</Text>
        </Stack>
        <TextInput
          {...form.register('code', { setValueAs: (typed: string) => typed.replace(/\D/g, '') })}
          className={classes.code}
          label={t('code.label')}
          description={left > 0 ? t('code.expires', { time: formatCountdown(left) }) : undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          required
          error={text(form.formState.errors.code?.message) ?? (left > 0 ? undefined : t('code.expired'))}
        />
        {failure ? (
          <Alert color="red" role="alert" icon={<CircleAlert size={18} aria-hidden />} lang={foreignLanguage(failure)}>
            <Stack gap="xs">
              {failure}
              {isOver ? <ViewLink to={{ name: 'search' }}>{t('state.search')}</ViewLink> : null}
            </Stack>
          </Alert>
        ) : null}
        <WaitingNotice waiting={waiting} />
        <Text role="status" className={notice ? undefined : 'berth-hidden'}>
          {notice}
        </Text>
        <Group gap="sm">
          <SubmitButton loading={confirming.isSending}>{t('code.submit')}</SubmitButton>
          <Button
            variant="default"
            className="tabular"
            loading={resending.isSending}
            disabled={toResend > 0}
            onClick={() => void handleResend()}
          >
            {toResend > 0 ? t('code.resendIn', { time: formatCountdown(toResend) }) : t('code.resend')}
          </Button>
        </Group>
        <Text className={classes.dim}>{t('code.noMessage')}</Text>
        <span>
          <ViewLink to={{ name: 'reserve', siteId: request.siteId }} replace>
            {t('code.change')}
          </ViewLink>
        </span>
      </Stack>
    </form>
  );
}
