import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ValidationError } from '@/api/errors';
import { useCloseGuard } from '@/components/dialog/dialog-context';
import { ReasonTooltip } from '@/components/reason-tooltip';
import { toast } from '@/components/toast';
import { cardParts } from '@/features/cards/ui/card.utils';
import { fromReservation } from '@/features/cards/ui/waiting-reservation.utils';
import { AgreementCheckbox } from '@/features/legal/ui/agreement-checkbox';
import { formatMoney } from '@/lib/format';
import { formatDate } from '@/lib/time';
import { isPaid } from '../api/pay';
import { useStartSubscription } from '../api/plans';
import type { ChosenPlan, SiteToSubscribe } from '../plan.types';
import { discount } from '../plans.utils';
import { usePaymentErrorText } from '../use-payment-error-text';
import classes from './billing.module.css';

interface PlanReviewProps {
  site: SiteToSubscribe;
  chosen: ChosenPlan;
  card: Schemas['SavedCard'];
  /** Back to the plans; with the reason if the server rejected the promo code. */
  onBack: (codeError?: string) => void;
  onDone: () => void;
}

/** Second step: what will be charged to which card, both texts, and the button that pays. */
export function PlanReview({ site, chosen, card, onBack, onDone }: PlanReviewProps) {
  const { t } = useTranslation(['billing', 'auth']);
  const [accepted, setAccepted] = useState({ terms: false, agreement: false });
  const { start, isRunning, refusal } = useStart({ site, chosen, onBack, onDone });
  const areAccepted = accepted.terms && accepted.agreement;
  return (
    <Stack gap="md">
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
        <Alert color="red" role="alert">
          {refusal}{' '}
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link
                {...props}
                to="/cards/$organizationId"
                params={{ organizationId: site.organizationId }}
                {...fromReservation(site.reservationId)}
              />
            )}
          >
            {t('plan.cards')}
          </Anchor>
        </Alert>
      ) : null}
      <Text role="status" size="sm">
        {isRunning ? t('plan.working') : ''}
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={isRunning} onClick={() => onBack()}>
          {t('plan.back')}
        </Button>
        <ReasonTooltip reason={areAccepted ? null : t('auth:signIn.agreementsRequired')}>
          <Button loading={isRunning} onClick={() => void start()}>
            {t('action.start')}
          </Button>
        </ReasonTooltip>
      </Group>
    </Stack>
  );
}

/** The price, what the promo code takes off, the sum, and the card. */
function Amounts({ site, chosen: { plan, coupon }, card }: Pick<PlanReviewProps, 'site' | 'chosen' | 'card'>) {
  const { t, i18n } = useTranslation('billing');
  const { price } = plan;
  const off = coupon ? discount(price, coupon.answer) : 0;
  const money = (amount: number) => formatMoney(amount, price.currency, i18n.language);
  const lines = [
    [t('review.site'), site.siteName],
    [t('review.plan'), `${plan.name}, ${t(`plan.${price.interval}`, { count: price.intervalCount })}`],
    [t('review.price'), money(price.unitAmountInDollars)],
    ...(coupon ? [[t('review.coupon', { code: coupon.code }), money(-off)]] : []),
    [t('review.total'), money(price.unitAmountInDollars - off)],
    [t('review.card'), t('card', cardParts(card))],
  ] as const;
  return (
    <>
      <dl className={classes.amounts}>
        {lines.map(([label, value]) => (
          <div key={label} className={classes.line}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {site.paidUntil ? (
        <Text size="sm">{t('review.paidUntil', { date: formatDate(site.paidUntil, i18n.language) })}</Text>
      ) : null}
    </>
  );
}

/** Sends the order, once at a time; the dialog stays open while the card provider is asked. */
function useStart({ site, chosen, onBack, onDone }: Pick<PlanReviewProps, 'site' | 'chosen' | 'onBack' | 'onDone'>) {
  const { t } = useTranslation('billing');
  const { mutateAsync } = useStartSubscription(site.organizationId);
  const paymentErrorText = usePaymentErrorText();
  const [isRunning, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const isBusy = useRef(false);
  useCloseGuard({ ask: () => (isBusy.current ? 'stay' : 'close') });
  const start = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    setRunning(true);
    setRefusal(undefined);
    try {
      const { price } = chosen.plan;
      const now = await mutateAsync({
        siteId: site.siteId,
        stripePriceId: price.priceId,
        subscriptionDurationInMonths: price.durationInMonths,
        couponCode: chosen.coupon?.code ?? null,
      });
      if (isPaid(now)) {
        toast.success(t('started', { site: site.siteName }));
        onDone();
      } else setRefusal(now.isConfirmed ? t('notSeenYet') : t('notPaid'));
    } catch (error) {
      const wrongCode = couponError(error);
      if (wrongCode) onBack(wrongCode);
      else setRefusal(paymentErrorText(error));
    } finally {
      isBusy.current = false;
      setRunning(false);
    }
  };
  return { start, isRunning, refusal };
}

/** What the server says about the promo code, if that is what is wrong. */
function couponError(error: unknown): string | undefined {
  if (!(error instanceof ValidationError)) return undefined;
  return error.problem.errors?.find(({ pointer }) => pointer === '/couponCode')?.message;
}
