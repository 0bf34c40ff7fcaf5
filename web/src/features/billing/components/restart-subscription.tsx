import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { ConfirmMutation } from '@/components/dialog/confirm-mutation';
import { cardsQuery } from '@/features/cards/api/cards-query';
import { cardParts } from '@/features/cards/ui/card.utils';
import { formatMoney } from '@/lib/format';
import { isPaid, PaymentRefusal, useRestartSubscription } from '../api/pay';
import { catalogQuery } from '../api/plans';
import { historyQuery } from '../api/invoices';
import { usePaymentErrorText } from '../use-payment-error-text';
import { type AmountLine, AmountLines } from './amount-lines';

type Summary = Schemas['SubscriptionSummary'];

interface RestartSubscriptionProps {
  organizationId: string;
  subject: Summary | null;
  onClose: () => void;
  /** After it is paid, in addition to `onClose`. */
  onPaid?: (() => void) | undefined;
}

/** Asks before the open payment of a site is made with the default card. */
export function RestartSubscription({ organizationId, subject, onClose, onPaid }: RestartSubscriptionProps) {
  const { t } = useTranslation('billing');
  const restart = useRestartSubscription(organizationId);
  const refusalText = usePaymentErrorText();
  const { data: cards } = useQuery({ ...cardsQuery(organizationId), enabled: subject !== null });
  return (
    <ConfirmMutation
      subject={subject}
      title={t('restart.title')}
      confirmLabel={t('action.restart')}
      startsOnCancel
      way={
        cards?.length === 0 ? (
          <Button renderRoot={(props) => <Link {...props} to="/cards/$organizationId" params={{ organizationId }} />}>
            {t('plan.addCard')}
          </Button>
        ) : undefined
      }
      run={async ({ siteId }) => {
        const now = await restart.mutateAsync(siteId);
        if (!isPaid(now)) throw new PaymentRefusal(now.isConfirmed ? t('notSeenYet') : t('notPaid'));
        return now;
      }}
      done={({ siteName }) => t('started', { site: siteName })}
      refusalText={refusalText}
      onDone={() => {
        onClose();
        onPaid?.();
      }}
      onClose={onClose}
    >
      {(site) => (
        <>
          <Text>{t('restart.text', { site: site.siteName })}</Text>
          <Charge organizationId={organizationId} site={site} />
        </>
      )}
    </ConfirmMutation>
  );
}

/** What is charged, and to which card; a line that cannot be known is left out. */
function Charge({ organizationId, site }: { organizationId: string; site: Summary }) {
  const { t, i18n } = useTranslation('billing');
  const { data: cards, isPending: isCardPending } = useQuery(cardsQuery(organizationId));
  const card = cards?.find(({ isDefault }) => isDefault) ?? cards?.[0];
  const { amount, isPending: isAmountPending } = useAmount(organizationId, site);
  // What comes later has its place from the start: below it stand the buttons.
  const lines: AmountLine[] = [];
  if (amount) lines.push([t('restart.amount'), formatMoney(amount.dollars, amount.currency, i18n.language)]);
  else if (isAmountPending) lines.push([t('restart.amount'), undefined]);
  if (card) lines.push([t('review.card'), t('card', cardParts(card))]);
  else if (isCardPending) lines.push([t('review.card'), undefined]);
  return (
    <>
      {lines.length > 0 ? <AmountLines lines={lines} /> : null}
      {cards?.length === 0 ? <Text>{t('plan.noCardHint')}</Text> : null}
    </>
  );
}

/** The open invoice of a site; where the subscription has expired, the price at which it starts again. */
function useAmount(organizationId: string, { siteId, status, stripePriceId }: Summary) {
  const hasExpired = status === 'incomplete_expired';
  const history = useQuery({ ...historyQuery(organizationId, [siteId]), enabled: !hasExpired });
  const catalog = useQuery({ ...catalogQuery, enabled: hasExpired });
  const price = catalog.data?.flatMap(({ prices }) => prices).find(({ priceId }) => priceId === stripePriceId);
  const open = history.data?.[0]?.items.find((item) => item.status === 'open');
  return hasExpired
    ? {
        isPending: catalog.isPending,
        amount: price && { dollars: price.unitAmountInDollars, currency: price.currency },
      }
    : { isPending: history.isPending, amount: open && { dollars: open.amount, currency: open.currency } };
}
