import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '@/components/use-error-text';
import { formatMoney } from '@/lib/format';
import { useCheckCoupon } from '../api/plans';
import type { ChosenPlan } from '../plan.types';
import { aboutPlan, referencePrice, savings } from '../plans.utils';
import { StepHeading } from './step-heading';

interface PlanChoiceProps {
  organizationId: string;
  plans: readonly ChosenPlan['plan'][];
  /** What was chosen before the user came back. */
  chosen: ChosenPlan | undefined;
  /** The user came back from the review. */
  isBack: boolean;
  /** Why the server rejected the promo code when the subscription was created. */
  codeError: string | undefined;
  onChosen: (chosen: ChosenPlan) => void;
}

/** First step: a plan, and a promo code if there is one. */
export function PlanChoice({ organizationId, plans, chosen, isBack, codeError, onChosen }: PlanChoiceProps) {
  const { t } = useTranslation('billing');
  const [priceId, setPriceId] = useState(chosen?.plan.price.priceId ?? plans[0]?.price.priceId);
  const code = usePromoCode(organizationId, chosen?.coupon, codeError);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (codeError) codeField.current?.focus();
  }, [codeError]);
  const handleSubmit = async () => {
    const plan = plans.find(({ price }) => price.priceId === priceId) ?? plans[0];
    const coupon = await code.check();
    if (plan && coupon !== false) onChosen({ plan, coupon });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      <Stack gap="md">
        <StepHeading takesFocus={isBack && !codeError}>{t('plan.choose')}</StepHeading>
        <Radio.Group aria-label={t('plan.choose')} value={priceId ?? null} onChange={setPriceId}>
          <Stack gap="sm">
            {plans.map((plan) => (
              <PlanRadio key={plan.price.priceId} plan={plan} />
            ))}
          </Stack>
        </Radio.Group>
        <Group gap="sm" align="flex-start">
          <TextInput
            label={t('coupon.label')}
            description={t('coupon.optional')}
            autoComplete="off"
            maxLength={100}
            ref={codeField}
            flex="1 1 200px"
            value={code.text}
            error={code.error}
            onChange={(event) => code.change(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              void code.check();
            }}
          />
          <Button variant="default" mt={44} loading={code.isChecking} onClick={() => void code.check()}>
            {t('coupon.apply')}
          </Button>
        </Group>
        <Text role="status" size="sm">
          {code.isApplied ? t('coupon.applied') : ''}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" loading={code.isChecking}>
            {t('plan.review')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** One plan: name, price per period, and what it saves. */
function PlanRadio({ plan }: { plan: ChosenPlan['plan'] }) {
  const { name, price } = plan;
  const { t, i18n } = useTranslation('billing');
  const money = (amount: number) => formatMoney(amount, price.currency, i18n.language);
  const period = t(`plan.${price.interval}`, { count: price.intervalCount });
  const saved = savings(price);
  const about = aboutPlan(plan, i18n.language);
  return (
    <Radio
      value={price.priceId}
      label={t('plan.price', {
        name,
        amount: money(price.unitAmountInDollars),
        period,
      })}
      description={
        <>
          {about ? <span lang={about.lang}>{about.text}</span> : null}
          {saved > 0
            ? ` ${t('plan.saves', { amount: money(saved), reference: money(referencePrice(price)), period })}`
            : null}
        </>
      }
    />
  );
}

type Coupon = NonNullable<ChosenPlan['coupon']>;

/** The promo code field. A code is checked only if something other than spaces was typed (spec B section 4). */
function usePromoCode(organizationId: string, known: Coupon | undefined, refused: string | undefined) {
  const { t } = useTranslation('billing');
  const errorText = useErrorText();
  const { mutateAsync, isPending } = useCheckCoupon(organizationId);
  const [text, setText] = useState(known?.code ?? '');
  const [applied, setApplied] = useState(refused ? undefined : known);
  const [error, setError] = useState(refused);
  const isBusy = useRef(false);
  /** Text of the field now, for an answer that comes after it was changed. */
  const current = useRef(text);

  const change = (typed: string) => {
    current.current = typed;
    setText(typed);
    setApplied(undefined);
    setError(undefined);
  };
  /** Resolves with the coupon, undefined without a code, or false if the code does not count. */
  const check = async (): Promise<Coupon | undefined | false> => {
    const code = text.trim();
    if (code === '') return undefined;
    if (applied?.code === code) return applied;
    if (isBusy.current) return false;
    isBusy.current = true;
    try {
      const answer = await mutateAsync(code);
      if (current.current.trim() !== code) return false;
      if (!answer.valid) {
        setError(t('coupon.invalid'));
        return false;
      }
      const coupon = { code, answer };
      setError(undefined);
      setApplied(coupon);
      return coupon;
    } catch (failure) {
      setError(errorText(failure));
      return false;
    } finally {
      isBusy.current = false;
    }
  };
  return { text, error, change, check, isChecking: isPending, isApplied: applied !== undefined };
}
