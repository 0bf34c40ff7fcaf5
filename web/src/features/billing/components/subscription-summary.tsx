import { CirclePlus, CircleX, Receipt, RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { DataTable } from '@/components/data-table/data-table';
import type { DataColumn, RowAction, TableState } from '@/components/data-table/data-table.types';
import { EmptyState } from '@/components/empty-state';
import { lazyDialog } from '@/components/lazy-named';
import { cardParts } from '@/features/cards/ui/card.utils';
import { formatMoney } from '@/lib/format';
import { formatDate } from '@/lib/time';
import { actionOf, type SubscriptionAction } from '../billing.utils';
import type { SiteToSubscribe } from '../plan.types';
import { CancelSubscription } from './cancel-subscription';
import { RestartSubscription } from './restart-subscription';
import { SubscriptionStatus } from './subscription-status';

/** Plans, review and legal texts load when a subscription is started. */
const PlanDialog = lazyDialog(() => import('../ui/plan-dialog'), 'PlanDialog', { texts: ['auth'] });

type Summary = Schemas['SubscriptionSummary'];

/** An organization has few sites: the table is shown whole, in the order of the server. */
const WHOLE: TableState = { page: 0, size: 250, direction: 'asc', dense: false };

const ICONS = {
  cancel: <CircleX size={16} aria-hidden />,
  restart: <RotateCcw size={16} aria-hidden />,
  start: <CirclePlus size={16} aria-hidden />,
} satisfies Record<SubscriptionAction, unknown>;

interface SubscriptionSummaryProps {
  organizationId: string;
  subscriptions: readonly Summary[];
  /** Id of the site whose plans are open at first, if its subscription can be started. */
  startWith?: string | undefined;
  /** After a subscription was paid. */
  onPaid?: (() => void) | undefined;
  /** After a dialog was closed. */
  onClose?: () => void;
}

/** The subscription of each site, with the one action that its status allows (spec B sections 2, 4). */
export function SubscriptionSummary({
  organizationId,
  subscriptions,
  startWith,
  onPaid,
  onClose,
}: SubscriptionSummaryProps) {
  const { t } = useTranslation('billing');
  const [state, setState] = useState(WHOLE);
  const [open, setOpen] = useState<{ action: SubscriptionAction; site: Summary } | null>(() => {
    const site = subscriptions.find(({ siteId, status }) => siteId === startWith && actionOf(status) === 'start');
    return site ? { action: 'start', site } : null;
  });
  const columns = useSummaryColumns();
  const rows = useMemo(
    () => subscriptions.map((row) => (row.siteName.trim() === '' ? { ...row, siteName: t('noName') } : row)),
    [subscriptions, t],
  );
  const subjectOf = (action: SubscriptionAction) => (open?.action === action ? open.site : null);
  const close = () => {
    setOpen(null);
    onClose?.();
  };
  const rowActions = (site: Summary): RowAction[] => {
    const action = actionOf(site.status);
    if (!action) return [];
    return [
      {
        label: t(`action.${action}`),
        accessibleLabel: t('actionOf', { action: t(`action.${action}`), site: site.siteName }),
        icon: ICONS[action],
        primary: action !== 'cancel',
        onSelect: () => setOpen({ action, site }),
      },
    ];
  };
  return (
    <>
      <DataTable
        label={t('summary.title')}
        columns={columns}
        rows={rows}
        rowId={({ siteId }) => siteId}
        state={state}
        onStateChange={setState}
        rowActions={rowActions}
        showsActions
        empty={<EmptyState icon={<Receipt size={32} strokeWidth={1.5} />} title={t('summary.empty')} />}
        mode="client"
        unpaged
      />
      <CancelSubscription organizationId={organizationId} subject={subjectOf('cancel')} onClose={close} />
      <RestartSubscription
        organizationId={organizationId}
        subject={subjectOf('restart')}
        onClose={close}
        onPaid={onPaid}
      />
      <PlanDialog
        subject={open?.action === 'start' ? toSubscribe(organizationId, open.site) : null}
        onStarted={onPaid}
        onClose={close}
      />
    </>
  );
}

function toSubscribe(organizationId: string, site: Summary): SiteToSubscribe {
  const { siteId, siteName, isActive, paidPeriodEnd } = site;
  return { organizationId, siteId, siteName, paidUntil: isActive ? paidPeriodEnd : null };
}

function useSummaryColumns(): DataColumn<Summary>[] {
  const { t, i18n } = useTranslation('billing');
  const { language } = i18n;
  return useMemo(
    () => [
      { id: 'site', header: t('summary.site'), isTitle: true, cell: ({ siteName }) => siteName },
      {
        id: 'next',
        header: t('summary.next'),
        cell: ({ nextInvoiceDate }) => (nextInvoiceDate ? formatDate(nextInvoiceDate, language) : t('notAvailable')),
      },
      {
        id: 'total',
        header: t('summary.total'),
        numeric: true,
        cell: ({ totalInvoice }) =>
          totalInvoice === null ? t('notAvailable') : formatMoney(totalInvoice, 'usd', language),
      },
      { id: 'status', header: t('summary.status'), cell: (row) => <SubscriptionStatus subscription={row} /> },
      {
        id: 'card',
        header: t('summary.card'),
        cell: ({ card }) => (card ? t('card', cardParts(card)) : t('notAvailable')),
      },
    ],
    [t, language],
  );
}
