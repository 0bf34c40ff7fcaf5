import { Alert, Button } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { CreditCard, ExternalLink, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { lazyDialog } from '@/components/lazy-named';
import { PageHeader } from '@/components/page-header';
import { Refusal } from '@/components/refusal';
import { TableSkeleton } from '@/components/skeletons';
import { useErrorText } from '@/components/use-error-text';
import { cardsQuery } from '@/features/cards/api/cards-query';
import { useOpenPortal } from '@/features/cards/api/save-card';
import { CardList } from '@/features/cards/components/card-list';
import { OrganizationChoice } from '@/features/cards/components/organization-choice';
import { TestPayments } from '@/features/cards/components/test-payments';
import {
  useReturnToPlan,
  useReturnToReservation,
  WaitingPlan,
  WaitingReservation,
} from '@/features/cards/ui/waiting-reservation';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { useOrganizationCrumbs } from '@/features/organizations/ui/use-organization-crumbs';
import { organizationTypeFor } from '@/lib/organization-types';

/** Stripe's packages load when a card is added, and not before. */
const AddCardDialog = lazyDialog(() => import('@/features/cards/components/add-card-dialog'), 'AddCardDialog');

interface CardsPageProps {
  organizationId: string;
  /** Id of the guest whose reservation waits for a card. */
  reservation?: string | undefined;
  /** Id of the site whose subscription was about to be started on Billing. */
  subscribe?: string | undefined;
}

/** The saved cards of an organization (spec B section 2). */
export function CardsPage({ organizationId, reservation, subscribe }: CardsPageProps) {
  const { t } = useTranslation('cards');
  const errorText = useErrorText();
  const returnToReservation = useReturnToReservation();
  const returnToPlan = useReturnToPlan(organizationId);
  const portal = useOpenPortal(organizationId, reservation);
  const user = useUser();
  const { data: organization } = useSuspenseQuery(organizationQuery(organizationId));
  const {
    data: cards,
    error,
    refetch,
  } = useQuery({ ...cardsQuery(organizationId), enabled: organization.isCommercial });
  const [isAdding, setIsAdding] = useState(false);
  const type = organizationTypeFor(user.isGlobal, organization.isCommercial);
  const add = (
    <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('add.title')}
    </Button>
  );
  const isEmpty = cards?.length === 0;
  const crumbs = useOrganizationCrumbs(type, organization, t('title'));
  return (
    <>
      <PageHeader
        title={t('title')}
        documentTitle={`${t('title')} · ${organization.name}`}
        breadcrumbs={crumbs}
        actions={
          cards && !isEmpty ? (
            <>
              <Button
                variant="default"
                leftSection={<ExternalLink size={18} aria-hidden />}
                loading={portal.isPending}
                onClick={() => portal.mutate()}
              >
                {t('manageBilling')}
              </Button>
              {add}
            </>
          ) : null
        }
      />
      <OrganizationChoice organizationId={organizationId} to="/cards/$organizationId" />
      {organization.isCommercial ? (
        <>
          <TestPayments />
          {subscribe ? (
            <WaitingPlan organizationId={organizationId} siteId={subscribe} />
          ) : reservation ? (
            <WaitingReservation guestId={reservation} text={t('waiting.card')} />
          ) : null}
          <Refusal mb="md" maw={720} title={t('portalFailed')}>
            {portal.error && errorText(portal.error)}
          </Refusal>
          {cards ? null : error ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : (
            <TableSkeleton rows={3} />
          )}
          {isEmpty ? (
            <EmptyState
              icon={<CreditCard size={32} strokeWidth={1.5} />}
              title={t('empty')}
              hint={t('emptyHint')}
              action={add}
            />
          ) : null}
          {cards && !isEmpty ? <CardList organizationId={organizationId} cards={cards} /> : null}
          <AddCardDialog
            subject={isAdding}
            organizationId={organizationId}
            isFirst={isEmpty}
            onClose={() => setIsAdding(false)}
            onSaved={() => {
              if (subscribe) returnToPlan(subscribe);
              else if (reservation) returnToReservation(reservation);
            }}
          />
        </>
      ) : (
        <Alert role="note" maw={720}>
          {t('nonCommercial')}
        </Alert>
      )}
    </>
  );
}
