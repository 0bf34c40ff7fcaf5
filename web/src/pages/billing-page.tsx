import { Alert, Button } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CreditCard } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { ErrorState } from '@/components/error-state';
import { PageHeader } from '@/components/page-header';
import { TableSkeleton } from '@/components/skeletons';
import { lazyNamed } from '@/components/lazy-named';
import { useChangeSearch } from '@/components/use-change-search';
import { historyQuery } from '@/features/billing/api/invoices';
import { summaryQuery } from '@/features/billing/api/subscriptions';
import { historyRows } from '@/features/billing/billing.utils';
import classes from '@/features/billing/components/billing.module.css';
import { BillingHistory } from '@/features/billing/components/billing-history';
import { SubscriptionSummary } from '@/features/billing/components/subscription-summary';
import { OrganizationChoice } from '@/features/cards/components/organization-choice';
import { TestPayments } from '@/features/cards/components/test-payments';
import { WaitingReservation } from '@/features/cards/ui/waiting-reservation';
import { organizationQuery } from '@/features/organizations/api/organization-query';
import { useOrganizationCrumbs } from '@/features/organizations/ui/use-organization-crumbs';
import { organizationTypeFor } from '@/lib/organization-types';

/** Only organizations with several sites have this picture. */
const Spending = lazyNamed(() => import('@/features/billing/components/spending'), 'Spending');

interface BillingPageProps {
  organizationId: string;
  /** Id of the guest whose reservation waits for a payment. */
  reservation?: string | undefined;
  /** Id of the site whose plans are open, as after a card was saved for it. */
  subscribe?: string | undefined;
}

/** Subscriptions and invoices of an organization (spec B section 2, Billing dashboard). */
export function BillingPage({ organizationId, reservation, subscribe }: BillingPageProps) {
  const { t } = useTranslation(['billing', 'cards']);
  const user = useUser();
  const [hasPaid, setHasPaid] = useState(false);
  const { data: organization } = useSuspenseQuery(organizationQuery(organizationId));
  const type = organizationTypeFor(user.isGlobal, organization.isCommercial);
  const crumbs = useOrganizationCrumbs(type, organization, t('title'));
  return (
    <>
      <PageHeader
        title={t('title')}
        documentTitle={`${t('title')} · ${organization.name}`}
        breadcrumbs={crumbs}
        actions={
          organization.isCommercial ? (
            <Button
              variant="default"
              leftSection={<CreditCard size={18} aria-hidden />}
              renderRoot={(props) => (
                <Link {...props} to="/cards/$organizationId" params={{ organizationId }} search={{ reservation }} />
              )}
            >
              {t('cards:title')}
            </Button>
          ) : null
        }
      />
      <OrganizationChoice organizationId={organizationId} to="/payment-details/$organizationId" />
      {organization.isCommercial ? (
        <>
          <TestPayments />
          {reservation ? (
            <WaitingReservation
              guestId={reservation}
              text={hasPaid ? t('cards:waiting.paid') : t('cards:waiting.payment')}
            />
          ) : null}
          <Bills organizationId={organizationId} subscribe={subscribe} onPaid={() => setHasPaid(true)} />
        </>
      ) : (
        <Alert role="note" maw={720}>
          {t('cards:nonCommercial')}
        </Alert>
      )}
    </>
  );
}

interface BillsProps {
  organizationId: string;
  subscribe: string | undefined;
  onPaid: () => void;
}

function Bills({ organizationId, subscribe, onPaid }: BillsProps) {
  const { t } = useTranslation('billing');
  const change = useChangeSearch<'/payment-details/$organizationId'>();
  const forgetPlan = () => {
    if (!subscribe) return;
    change({ subscribe: undefined }, { replace: true });
  };
  const { data, error, refetch } = useQuery(summaryQuery(organizationId));
  return (
    <>
      <Section title={t('summary.title')}>
        {data ? (
          <SubscriptionSummary
            organizationId={organizationId}
            subscriptions={data}
            startWith={subscribe}
            onPaid={onPaid}
            onClose={forgetPlan}
          />
        ) : (
          <Pending error={error} onRetry={() => void refetch()} />
        )}
      </Section>
      <Section title={t('history.title')}>
        {data ? <History organizationId={organizationId} sites={data} /> : <Pending error={null} />}
      </Section>
    </>
  );
}

interface HistoryProps {
  organizationId: string;
  sites: readonly Schemas['SubscriptionSummary'][];
}

function History({ organizationId, sites }: HistoryProps) {
  const siteIds = sites.map(({ siteId }) => siteId);
  const { data, error, refetch } = useQuery(historyQuery(organizationId, siteIds));
  if (!data) return <Pending error={error} onRetry={() => void refetch()} />;
  const rows = historyRows(data);
  return (
    <>
      <BillingHistory rows={rows} />
      {data.length > 1 ? <Spending rows={rows} /> : null}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2 className={classes.heading}>{title}</h2>
      {children}
    </section>
  );
}

/** Stands where a table will be: it loads, or it could not be loaded. */
function Pending({ error, onRetry }: { error: Error | null; onRetry?: () => void }) {
  return error ? <ErrorState error={error} onRetry={onRetry} /> : <TableSkeleton rows={3} />;
}
