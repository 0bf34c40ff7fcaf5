import { type ReactNode, useSyncExternalStore } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { serverNow } from '@/lib/clock';
import { formatDateTime } from '@/lib/time';
import classes from './print-sheet.module.css';

/** What stands at the top of each printed page. */
export interface PrintInfo {
  readonly title: string;
  readonly site: PrintPlace;
  /** What the list shows, for example its filter. */
  readonly facts?: readonly string[];
}

/** The site that is printed, or an organization: it has no organization above it, and times are those of the reader's zone. */
export type PrintPlace = Pick<Schemas['SiteDetails'], 'name'> &
  Partial<Pick<Schemas['SiteDetails'], 'organizationName' | 'timeZone'>>;

interface PrintColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
}

interface PrintSheetProps<Row> extends PrintInfo {
  readonly columns: readonly PrintColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
}

/** The line of a printed list that tells of the text it was filtered by; none without a filter. */
export function usePrintedFilter(text: string): readonly string[] {
  const { t } = useTranslation();
  return text.trim() === '' ? [] : [t('print.filtered', { text: text.trim() })];
}

let current: Date | null = null;
const listeners = new Set<() => void>();

/** All sheets change at once, so that they stand in the order of their lists. */
function setPrintedAt(at: Date | null): void {
  current = at;
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}

const handleBefore = () => setPrintedAt(new Date(serverNow()));
const handleAfter = () => setPrintedAt(null);

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('beforeprint', handleBefore);
    window.addEventListener('afterprint', handleAfter);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('beforeprint', handleBefore);
    window.removeEventListener('afterprint', handleAfter);
    current = null;
  };
}

/** When the page is being printed; null otherwise. */
export function usePrintedAt(): Date | null {
  return useSyncExternalStore(subscribe, () => current);
}

/** A list as printed pages: every row and column, black on white. Stands in the page only while it is printed. */
export function PrintSheet<Row>({ columns, rows, rowId, ...info }: PrintSheetProps<Row>) {
  const at = usePrintedAt();
  // A dialog in front of the list is what people want to print then.
  if (!at || document.querySelector('[aria-modal="true"]')) return null;
  return (
    <PrintFrame {...info} printedAt={at} headers={columns.map(({ header }) => header)}>
      <tbody>
        {rows.map((row) => (
          <tr key={rowId(row)}>
            {columns.map((column) => (
              <td key={column.id}>{column.cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </PrintFrame>
  );
}

interface PrintFrameProps extends PrintInfo {
  readonly printedAt: Date;
  readonly headers: readonly string[];
  /** The width of each column as a part of the sheet, such as `20%`; unless given, by what stands in it. */
  readonly widths?: readonly string[];
  /** The bodies of the table. */
  readonly children: ReactNode;
}

/**
 * One table, because the browser repeats the head of a table on each page: site, time, who printed it and the notice of 42 CFR
 * part 2 are on every sheet.
 */
export function PrintFrame({ headers, widths, children, ...info }: PrintFrameProps) {
  const { t } = useTranslation();
  return createPortal(
    <div className={classes.sheet} data-print-report>
      <table className={classes.table}>
        <thead>
          <tr>
            <th colSpan={headers.length} className={classes.head}>
              <PrintHead {...info} />
              <div className={classes.notice}>{t('print.notice')}</div>
            </th>
          </tr>
          <tr className={classes.columns}>
            {headers.map((header, index) => (
              <th key={header} scope="col" style={{ width: widths?.[index] }}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>,
    document.body,
  );
}

/** Figures as printed pages, in place of the screen. They count guests and name none, so the notice about records is not on them. */
export function PrintPages({ children, ...info }: PrintInfo & { readonly children: ReactNode }) {
  const at = usePrintedAt();
  if (!at) return null;
  return createPortal(
    <div className={classes.sheet} data-print-report>
      <div className={classes.pages}>
        <div className={classes.pagesHead}>
          <PrintHead {...info} printedAt={at} />
        </div>
        {children}
      </div>
    </div>,
    document.body,
  );
}

/** What is printed, of which place, as of when and by whom. */
function PrintHead({ title, site, facts = [], printedAt }: PrintInfo & Pick<PrintFrameProps, 'printedAt'>) {
  const { t, i18n } = useTranslation();
  const user = useUser();
  const by = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email;
  const time = formatDateTime(printedAt, i18n.language, site.timeZone);
  const [first, ...others] = facts;
  return (
    <>
      <div className={classes.title}>
        <span>
          {title}: {site.name}
        </span>
        <span>{t('print.confidential')}</span>
      </div>
      <div className={classes.facts}>
        <span>{[site.organizationName, first].filter(Boolean).join(' · ')}</span>
        <span>{t('print.printed', { time, by })}</span>
      </div>
      {others.map((fact) => (
        <div key={fact} className={classes.facts}>
          <span>{fact}</span>
        </div>
      ))}
    </>
  );
}
