import { Anchor } from '@mantine/core';
import { ExternalLink, ReceiptText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '@/components/data-table/data-table';
import type { DataColumn, TableSearch } from '@/components/data-table/data-table.types';
import { useTableLook } from '@/components/data-table/use-table-look';
import { EmptyState } from '@/components/empty-state';
import { formatMoney } from '@/lib/format';
import { formatDate } from '@/lib/time';
import { type HistoryRow, isPageAddress } from '../billing.utils';
import classes from './billing.module.css';

const FIRST_PAGE: TableSearch = { page: 0, direction: 'desc' };

/** The invoices of all sites of an organization, newest first (spec B section 2). */
export function BillingHistory({ rows }: { rows: readonly HistoryRow[] }) {
  const { t } = useTranslation('billing');
  const [place, setPlace] = useState(FIRST_PAGE);
  const [look, changeTable] = useTableLook('invoices', place, 10);
  const columns = useHistoryColumns();
  return (
    <DataTable
      label={t('history.title')}
      columns={columns}
      rows={rows}
      rowId={({ invoiceId }) => invoiceId}
      state={{ ...place, ...look }}
      onStateChange={(next) => changeTable(next, setPlace)}
      empty={<EmptyState icon={<ReceiptText size={32} strokeWidth={1.5} />} title={t('history.empty')} />}
      mode="client"
    />
  );
}

function useHistoryColumns(): DataColumn<HistoryRow>[] {
  const { t, i18n } = useTranslation('billing');
  const { language } = i18n;
  return useMemo(
    () => [
      {
        id: 'invoice',
        header: t('history.invoice'),
        isTitle: true,
        cell: ({ invoiceId, invoiceNumber }) => invoiceNumber ?? invoiceId,
      },
      { id: 'date', header: t('history.date'), cell: ({ date }) => formatDate(date, language) },
      {
        id: 'description',
        header: t('history.description'),
        cell: ({ description, siteName }) => (
          <>
            <span lang="en">{description}</span>
            {description.includes(siteName) ? null : <div className={classes.more}>{siteName}</div>}
          </>
        ),
      },
      {
        id: 'amount',
        header: t('history.amount'),
        numeric: true,
        cell: ({ amount, currency }) => formatMoney(amount, currency, language),
      },
      { id: 'status', header: t('history.status'), cell: ({ status }) => t(`invoice.${invoiceKey(status)}`) },
      { id: 'links', header: t('history.links'), cell: (row) => <InvoiceLinks row={row} /> },
    ],
    [t, language],
  );
}

const INVOICE_STATUSES = ['open', 'paid', 'void', 'uncollectible'] as const;

/** Text key of an invoice's status; others than Stripe's published ones are unknown. */
function invoiceKey(status: string): (typeof INVOICE_STATUSES)[number] | 'unknown' {
  return INVOICE_STATUSES.find((known) => known === status) ?? 'unknown';
}

/** Links to the pages of an invoice and its receipt at the card provider, in new tabs. */
function InvoiceLinks({ row }: { row: HistoryRow }) {
  const { t } = useTranslation('billing');
  const invoice = row.invoiceNumber ?? row.invoiceId;
  return (
    <span className={classes.links}>
      <PageLink
        href={row.hostedInvoiceUrl}
        label={t('history.openInvoice')}
        name={t('history.invoiceOf', { invoice })}
      />
      <PageLink href={row.receiptUrl} label={t('history.openReceipt')} name={t('history.receiptOf', { invoice })} />
    </span>
  );
}

interface PageLinkProps {
  href: string | null;
  label: string;
  /** For screen readers, with the invoice in it. */
  name: string;
}

function PageLink({ href, label, name }: PageLinkProps) {
  if (!href || !isPageAddress(href)) return null;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" aria-label={name} className={classes.link} data-touch>
      {label}
      <ExternalLink size={14} aria-hidden />
    </Anchor>
  );
}
