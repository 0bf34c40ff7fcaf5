import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '@/components/lazy-named';
import { cardsQuery } from '@/features/cards/api/cards-query';
import { fromReservation } from '@/features/cards/ui/waiting-reservation.utils';
import { useHoldReservations } from '../api/pay';
import { siteStatusQuery } from '../api/site-status';
import { actionOf } from '../billing.utils';
import type { SiteToSubscribe } from '../plan.types';

const PlanDialog = lazyDialog(() => import('./plan-dialog'), 'PlanDialog', { texts: ['billing', 'auth'] });

/** The owner's next step to an active subscription: save a card, pay what is open, or choose a plan (spec B section 4). */
export function SubscriptionSteps({ site }: { site: SiteToSubscribe }) {
  const { t } = useTranslation('reservations');
  const { organizationId, siteId } = site;
  const waiting = fromReservation(site.reservationId);
  const [isStarting, setStarting] = useState(false);
  const { mutate } = useHoldReservations();
  const hold = () => mutate(siteId);
  const cards = useQuery(cardsQuery(organizationId));
  const subscription = useQuery(siteStatusQuery(siteId));
  const nextStep = () => {
    if (cards.isPending || subscription.isPending) return null;
    if (cards.data?.length === 0) {
      return (
        <Button
          onClick={hold}
          renderRoot={(props) => (
            <Link {...props} to="/cards/$organizationId" params={{ organizationId }} {...waiting} />
          )}
        >
          {t('request.payment.addCard')}
        </Button>
      );
    }
    if (actionOf(subscription.data?.status ?? 'none') === 'start') {
      return (
        <Button
          onClick={() => {
            hold();
            setStarting(true);
          }}
        >
          {t('request.payment.getStarted')}
        </Button>
      );
    }
    return (
      <Button
        onClick={hold}
        renderRoot={(props) => (
          <Link {...props} to="/payment-details/$organizationId" params={{ organizationId }} {...waiting} />
        )}
      >
        {t('request.payment.openBilling')}
      </Button>
    );
  };
  // A failed payment changes the status. The dialog is open all the same: it has to say why.
  return (
    <>
      {nextStep()}
      <PlanDialog subject={isStarting ? site : null} onClose={() => setStarting(false)} />
    </>
  );
}
