import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConflictError } from '@/api/errors';
import { fieldMessage } from '@/api/field-message';
import { foreignLanguage } from '@/api/problem-words';
import { useCloseGuard } from '@/components/dialog/dialog-context';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { toast } from '@/components/toast';
import { cardParts } from '@/features/cards/ui/card.utils';
import { useWayToCards } from '@/features/cards/ui/waiting-reservation';
import { fromReservation } from '@/features/cards/ui/waiting-reservation.utils';
import { AgreementCheckbox } from '@/features/legal/ui/agreement-checkbox';
import { serverNow } from '@/lib/clock';
import { formatMoney } from '@/lib/format';
import { formatDate } from '@/lib/time';
import { isPaid, OpenPaymentError, PaymentRefusal, useRestartSubscription } from '../api/pay';
import { useStartSubscription } from '../api/plans';
import type { ChosenPlan, SiteToSubscribe } from '../plan.types';
import { discount, type LaterPayments, laterPayments } from '../plans.utils';
import { usePaymentErrorText } from '../use-payment-error-text';
import { type AmountLine, AmountLines } from './amount-lines';
import { StepHeading } from './step-heading';

interface PlanReviewProps {
  site: SiteToSubscribe;
  chosen: ChosenPlan;
  card: Schemas['SavedCard'];
  /** Back to the plans; with the reason if the server rejected the promo code. */
  onBack: (codeError?: string) => void;
  /** A link leads to another screen. */
  onLeave: () => void;
  onDone: () => void;
}

type Price = ChosenPlan['plan']['price'];

/**
 * What the button of the review does. After a failed payment the subscription exists and its payment is open: it is paid
 * again. If somebody else has begun one, maybe with another plan, its payment is made on Billing.
 */
type NextStep = 'start' | 'restart' | 'billing';

/** Second step: what will be charged to which card, both texts, and the button that pays. */
export function PlanReview({ site, chosen, card, onBack, onLeave, onDone }: PlanReviewProps) {
  const { t } = useTranslation(['billing', 'auth']);
  const [accepted, setAccepted] = useState({ terms: false, agreement: false });
  const { start, isRunning, refusal, nextStep } = useStart({ site, chosen, onBack, onDone });
  const areAccepted = accepted.terms && accepted.agreement;
  const [progress, problem] = [useRef<HTMLParagraphElement>(null), useRef<HTMLDivElement>(null)];
  // The button cannot keep the focus while it works.
  useEffect(() => {
    if (isRunning) progress.current?.focus();
    else if (refusal) problem.current?.focus();
  }, [isRunning, refusal, progress, problem]);
  const { organizationId } = site;
  const waiting = fromReservation(site.reservationId);
  const way = useWayToCards(site);
  return (
    <Stack gap="md">
      <StepHeading takesFocus>{t('plan.review')}</StepHeading>
      <Amounts site={site} chosen={chosen} card={card} />
      <AgreementCheckbox
        document="terms"
        label={t('auth:signIn.acceptTerms')}
        checked={accepted.terms}
        onChange={(terms) => setAccepted((before) => ({ ...before, terms }))}
      />
      <AgreementCheckbox
        document="agreement"
        label={t('auth:signIn.acceptAgreement')}
        checked={accepted.agreement}
        onChange={(agreement) => setAccepted((before) => ({ ...before, agreement }))}
      />
      {refusal ? (
        <Alert ref={problem} tabIndex={-1} color="red" role="alert">
          <span lang={foreignLanguage(refusal)}>{refusal}</span>{' '}
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link {...props} to="/cards/$organizationId" params={{ organizationId }} onClick={onLeave} {...way} />
            )}
          >
            {t('plan.cards')}
          </Anchor>
        </Alert>
      ) : null}
      <Text ref={progress} tabIndex={-1} role="status" size="sm">
        {isRunning ? t('plan.working') : ''}
      </Text>
      <Group justify="flex-end" gap="sm">
        {nextStep === 'start' ? (
          <Button variant="default" disabled={isRunning} onClick={() => onBack()}>
            {t('plan.back')}
          </Button>
        ) : null}
        {nextStep === 'billing' ? (
          <Button
            renderRoot={(props) => (
              <Link
                {...props}
                to="/payment-details/$organizationId"
                params={{ organizationId }}
                onClick={onLeave}
                {...waiting}
              />
            )}
          >
            {t('own.open')}
          </Button>
        ) : (
          <ReasonTooltip reason={areAccepted ? null : t('auth:signIn.agreementsRequired')}>
            <Button loading={isRunning} onClick={() => void start()}>
              {t(`action.${nextStep}`)}
            </Button>
          </ReasonTooltip>
        )}
      </Group>
    </Stack>
  );
}

/** The price, what the promo code takes off, the sum, what follows it, and the card. */
function Amounts({ site, chosen: { plan, coupon }, card }: Pick<PlanReviewProps, 'site' | 'chosen' | 'card'>) {
  const { t, i18n } = useTranslation('billing');
  const { price } = plan;
  const [now] = useState(serverNow);
  const off = coupon ? discount(price, coupon.answer) : 0;
  const money = (amount: number) => formatMoney(amount, price.currency, i18n.language);
  const later = paymentsAfter(site, price, coupon, now);
  const payment = ({ at, amount }: typeof later.next) =>
    t('review.on', { amount: money(amount), date: formatDate(at, i18n.language) });
  const lines: AmountLine[] = [
    [t('review.site'), site.siteName],
    [t('review.plan'), `${plan.name}, ${t(`plan.${price.interval}`, { count: price.intervalCount })}`],
    [t('review.price'), money(price.unitAmountInDollars)],
    ...(coupon ? [[t('review.coupon', { code: coupon.code }), money(-off)] as const] : []),
    [t('review.total'), money(price.unitAmountInDollars - off)],
    [t('review.card'), t('card', cardParts(card))],
    [t('review.next'), payment(later.next)],
    ...(later.full ? [[t('review.full'), payment(later.full)] as const] : []),
  ];
  return (
    <>
      <AmountLines lines={lines} />
      {site.paidUntil ? (
        <Text size="sm">{t('review.paidUntil', { date: formatDate(site.paidUntil, i18n.language) })}</Text>
      ) : null}
    </>
  );
}

/** The payments after this dialog. If the site is paid until some day, the first one is among them. */
function paymentsAfter(site: SiteToSubscribe, price: Price, coupon: ChosenPlan['coupon'], now: number): LaterPayments {
  if (!site.paidUntil) return laterPayments(price, coupon?.answer, new Date(now));
  const at = new Date(site.paidUntil);
  const amount = price.unitAmountInDollars - (coupon ? discount(price, coupon.answer) : 0);
  const later = laterPayments(price, coupon?.answer, at);
  const full = later.full ?? (later.next.amount === amount ? undefined : later.next);
  return { next: { at, amount }, ...(full ? { full } : {}) };
}

/** Sends the order, once at a time; the dialog stays open while the card provider is asked. */
function useStart({ site, chosen, onBack, onDone }: Pick<PlanReviewProps, 'site' | 'chosen' | 'onBack' | 'onDone'>) {
  const { t } = useTranslation('billing');
  const { mutateAsync: startAnew } = useStartSubscription(site.organizationId);
  const { mutateAsync: restart } = useRestartSubscription(site.organizationId);
  const paymentErrorText = usePaymentErrorText();
  const [isRunning, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [nextStep, setNextStep] = useState<NextStep>('start');
  const isBusy = useRef(false);
  useCloseGuard({ ask: () => (isBusy.current ? 'stay' : 'close') });
  const start = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    setRunning(true);
    setRefusal(undefined);
    try {
      const now = nextStep === 'restart' ? await restart(site.siteId) : await startAnew(order(site, chosen));
      if (isPaid(now)) {
        toast.success(t('started', { site: site.siteName }));
        onDone();
        return;
      }
      throw new PaymentRefusal(now.isConfirmed ? t('notSeenYet') : t('notPaid'));
    } catch (error) {
      const wrongCode = fieldMessage(error, '/couponCode');
      if (wrongCode) {
        onBack(wrongCode);
        return;
      }
      setRefusal(paymentErrorText(error));
      setNextStep((before) => stepAfter(error) ?? before);
    } finally {
      isBusy.current = false;
      setRunning(false);
    }
  };
  return { start, isRunning, refusal, nextStep };
}

function order(site: SiteToSubscribe, { plan: { price }, coupon }: ChosenPlan): Schemas['NewSubscription'] {
  return {
    siteId: site.siteId,
    stripePriceId: price.priceId,
    subscriptionDurationInMonths: price.durationInMonths,
    couponCode: coupon?.code ?? null,
  };
}

/** Where a failure leads; undefined if the same can be tried again. */
function stepAfter(error: unknown): NextStep | undefined {
  if (error instanceof PaymentRefusal || error instanceof OpenPaymentError) return 'restart';
  return error instanceof ConflictError && error.code === 'subscription-open' ? 'billing' : undefined;
}
