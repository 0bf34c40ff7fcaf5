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
import type { CardUpload } from '../card-upload';
import { codeSchema, INSURANCE } from '../find.schema';
import { go } from '../use-address';
import { forgetRequest, keepRequest } from '../kept-request';
import { useInvalidText } from '../use-invalid-text';
import { useKnownOutcome } from '../use-known-outcome';
import { newRequest, type PendingRequest, type Reservation } from '../use-reservation';
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

/** Wrong codes after which the server takes no other for the same request, not even the right one. */
const MAX_REFUSALS = 5;

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
  const { again, siteId, phoneEnding, refusals } = request;
  const now = useNow(1000);
  const left = secondsTo(Date.parse(request.codeExpiresAt), now);
  const toResend = again ? secondsTo(again.resendAt, now) : 0;
  const isSpent = refusals >= MAX_REFUSALS;
  const needsNewCode = isSpent || left === 0;
  const phone = again?.body.phone ?? undefined;
  const { setFocus } = form;

  const confirm = async ({ code }: { code: string }) => {
    if (needsNewCode || isOver) return setFocus('code');
    setFailure(undefined);
    setNotice(undefined);
    try {
      // One key for the request: only the right code is carried out under it.
      const key = request.confirmKey;
      const made = await confirming.send((signal) => confirmReservation(request.id, code, { key, signal }));
      if (!made) return;
      // After a reload nobody knows how the guest pays: the site asks for the card then.
      const isInsured = again?.body.paymentMethod === Number(INSURANCE);
      const upload: CardUpload = { id: request.id, until: Date.parse(made.cardsUntil), sent: [] };
      reservation.finish(made.code, phone?.slice(-4), isInsured ? upload : undefined);
      go({ name: 'reservation' }, { replace: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error instanceof ValidationError) {
        reservation.setRequest({ ...request, refusals: refusals + 1 });
        form.setError('code', { message: t('code.wrong') }, { shouldFocus: true });
      } else {
        setIsOver(error.code === 'not-available');
        setFailure(errorText(error));
      }
    }
  };

  const handleResend = async ({ body }: NonNullable<PendingRequest['again']>) => {
    setFailure(undefined);
    setNotice(undefined);
    const key = crypto.randomUUID();
    try {
      const asked = await resending.send((signal) => askForReservation(body, { key, signal }));
      if (!asked) return;
      const resendAt = serverNow() + RESEND_MILLISECONDS;
      reservation.setRequest(newRequest(body, asked, { siteId, key, resendAt }));
      form.reset();
      setFocus('code');
      setNotice(t('code.resent'));
    } catch (error) {
      setFailure(errorText(error));
    }
  };
  useEffect(() => setFocus('code'), [setFocus]);
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOver) answer.current?.focus();
  }, [isOver]);
  // A reload comes back here; whoever leaves by a link gives the request up.
  const isGood = left > 0 && !isOver;
  useEffect(() => {
    if (!isGood) return undefined;
    keepRequest(request);
    return forgetRequest;
  }, [isGood, request]);
  const waiting = confirming.waiting ?? resending.waiting;
  const dead = isSpent ? t('code.tooMany') : left === 0 ? t('code.expired') : undefined;
  const newCodeLook = needsNewCode && !isOver ? 'filled' : 'default';
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(confirm)(event)}>
      <Stack gap="lg">
        <Stack gap="xs">
          <Heading>{t('code.title')}</Heading>
          <Text>{t('code.sent', { phone: phone ? formatPhone(phone) : `…${phoneEnding}` })}</Text>
        </Stack>
        {/* Not the kit's PinInput: a paste counts whatever stands around the code. */}
        <TextInput
          {...form.register('code', { setValueAs: (typed: string) => typed.replace(/\D/g, '') })}
          className={classes.code}
          label={t('code.label')}
          description={needsNewCode ? undefined : t('code.expires', { time: formatCountdown(left) })}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={40}
          required
          error={dead ?? text(form.formState.errors.code?.message)}
        />
        {failure ? (
          <Alert
            ref={answer}
            tabIndex={-1}
            color="red"
            role="alert"
            icon={<CircleAlert size={18} aria-hidden />}
            lang={foreignLanguage(failure)}
          >
            {failure}
          </Alert>
        ) : null}
        <WaitingNotice waiting={waiting} />
        <Text role="status" className={notice ? undefined : 'berth-hidden'}>
          {notice}
        </Text>
        <Group gap="sm">
          {isOver ? <Button onClick={() => go({ name: 'search' })}>{t('state.search')}</Button> : null}
          {needsNewCode || isOver ? null : (
            <SubmitButton loading={confirming.isSending}>{t('code.submit')}</SubmitButton>
          )}
          {again ? (
            <Button
              variant={newCodeLook}
              className="tabular"
              loading={resending.isSending}
              disabled={toResend > 0}
              onClick={() => void handleResend(again)}
            >
              {toResend > 0 ? t('code.resendIn', { time: formatCountdown(toResend) }) : t('code.resend')}
            </Button>
          ) : (
            <Button variant={newCodeLook} onClick={() => go({ name: 'reserve', siteId }, { replace: true })}>
              {t('code.askAgain')}
            </Button>
          )}
        </Group>
        <Text className={classes.dim}>{t('code.noMessage')}</Text>
        {again ? (
          <span>
            <ViewLink to={{ name: 'reserve', siteId }} replace>
              {t('code.change')}
            </ViewLink>
          </span>
        ) : null}
      </Stack>
    </form>
  );
}
