import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CreditCard, Receipt } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/dialog/dialog';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { cardsQuery } from '@/features/cards/api/cards-query';
import { useWayToCards } from '@/features/cards/ui/waiting-reservation';
import { catalogQuery } from '../api/plans';
import { PlanChoice } from '../components/plan-choice';
import { PlanReview } from '../components/plan-review';
import type { ChosenPlan, SiteToSubscribe } from '../plan.types';
import { plansOf } from '../plans.utils';

interface PlanDialogProps {
  subject: SiteToSubscribe | null;
  /** After the subscription is active. */
  onStarted?: () => void;
  onClose: () => void;
}

/** Starts the subscription of a site: choose a plan, review it, accept both texts (spec B section 4). */
export function PlanDialog({ subject, onStarted, onClose }: PlanDialogProps) {
  const { t } = useTranslation('billing');
  return (
    <Dialog
      subject={subject}
      title={({ siteName }) => t('plan.title', { site: siteName })}
      width={600}
      onClose={onClose}
    >
      {(site) => <Steps site={site} onStarted={onStarted} onClose={onClose} />}
    </Dialog>
  );
}

interface StepsProps extends Pick<PlanDialogProps, 'onStarted' | 'onClose'> {
  site: SiteToSubscribe;
}

/** Loads plans and cards, then shows the two steps. What was chosen stays when the user goes back. */
function Steps({ site, onStarted, onClose }: StepsProps) {
  const { t } = useTranslation('billing');
  const catalog = useQuery(catalogQuery);
  const cards = useQuery(cardsQuery(site.organizationId));
  const [chosen, setChosen] = useState<ChosenPlan>();
  const [isReviewing, setReviewing] = useState(false);
  const [isBack, setBack] = useState(false);
  const [codeError, setCodeError] = useState<string>();
  const error = catalog.error ?? cards.error;
  if (error && !catalog.isFetching && !cards.isFetching) {
    const retry = () => void Promise.all([catalog.refetch(), cards.refetch()]);
    return <ErrorState error={error} onRetry={retry} />;
  }
  if (!catalog.data || !cards.data) return <TableSkeleton rows={3} />;
  const card = cards.data.find(({ isDefault }) => isDefault) ?? cards.data[0];
  if (!card) return <NoCard site={site} />;
  const plans = plansOf(catalog.data);
  if (plans.length === 0) {
    return <EmptyState icon={<Receipt size={32} strokeWidth={1.5} />} title={t('plan.none')} />;
  }
  if (chosen && isReviewing) {
    return (
      <PlanReview
        site={site}
        chosen={chosen}
        card={card}
        onBack={(refusedCode) => {
          setCodeError(refusedCode);
          setBack(true);
          setReviewing(false);
        }}
        onLeave={onClose}
        onDone={() => {
          onClose();
          onStarted?.();
        }}
      />
    );
  }
  return (
    <PlanChoice
      organizationId={site.organizationId}
      plans={plans}
      chosen={chosen}
      isBack={isBack}
      codeError={codeError}
      onChosen={(plan) => {
        setChosen(plan);
        setCodeError(undefined);
        setReviewing(true);
      }}
    />
  );
}

function NoCard({ site }: { site: SiteToSubscribe }) {
  const { t } = useTranslation('billing');
  const { organizationId } = site;
  const way = useWayToCards(site);
  return (
    <EmptyState
      icon={<CreditCard size={32} strokeWidth={1.5} />}
      title={t('plan.noCard')}
      hint={t('plan.noCardHint')}
      action={
        <Button
          renderRoot={(props) => <Link {...props} to="/cards/$organizationId" params={{ organizationId }} {...way} />}
        >
          {t('plan.addCard')}
        </Button>
      }
    />
  );
}
