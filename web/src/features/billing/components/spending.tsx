import { useTranslation } from 'react-i18next';
import { dateFormat } from '@/lib/date-formats';
import { formatMoney } from '@/lib/format';
import type { HistoryRow } from '../billing.utils';
import { partsOf, type Spending as Amounts, spendingOf } from '../spending.utils';
import classes from './spending.module.css';

/** What was paid for each site in each month, as a chart and as a table. Nothing for fewer than two sites. */
export function Spending({ rows }: { rows: readonly HistoryRow[] }) {
  const { t } = useTranslation('billing');
  const spending = spendingOf(rows);
  if (spending.sites.length < 2) return null;
  return (
    <div className={classes.spending}>
      <h3 className={classes.heading}>{t('spending.title')}</h3>
      <Chart spending={spending} />
      <details>
        <summary className={classes.summary}>{t('spending.asTable')}</summary>
        <Table {...spending} />
      </details>
    </div>
  );
}

/** A bar for each month with a part for each site. Screen readers skip it: the table has the same numbers. */
function Chart({ spending }: { spending: Amounts }) {
  const { t, i18n } = useTranslation('billing');
  const { language } = i18n;
  const { months, currency } = spending;
  const { sites, amounts } = partsOf(spending);
  const top = Math.max(...months.map(({ total }) => total));
  return (
    <figure className={classes.figure} aria-hidden>
      <p className={classes.legend}>
        {sites.map((site, index) => (
          <span key={site?.id ?? ''} className={classes.key} data-site={index}>
            {site?.name ?? t('spending.others')}
          </span>
        ))}
      </p>
      <p className={classes.top}>{formatMoney(top, currency, language)}</p>
      <div className={classes.bars}>
        {months.map(({ month }, at) => (
          <div key={month.getTime()} className={classes.month}>
            {amounts[at]?.map((amount, index) =>
              amount > 0 ? (
                <div
                  key={sites[index]?.id ?? ''}
                  className={classes.part}
                  data-site={index}
                  style={{ height: `${(amount / top) * 100}%` }}
                />
              ) : null,
            )}
          </div>
        ))}
      </div>
      <div className={classes.names}>
        {months.map(({ month }) => (
          <span key={month.getTime()}>{dateFormat(language, { month: 'short' }).format(month)}</span>
        ))}
      </div>
    </figure>
  );
}

function Table({ currency, sites, months }: Amounts) {
  const { t, i18n } = useTranslation('billing');
  const { language } = i18n;
  const money = (amount: number) => formatMoney(amount, currency, language);
  return (
    <>
      {/* A scrolling area must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.scroll} role="region" tabIndex={0} aria-label={t('spending.title')}>
        <table className={classes.table} aria-label={t('spending.title')}>
          <thead>
            <tr>
              <th scope="col">{t('spending.month')}</th>
              {sites.map(({ id, name }) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">{t('spending.total')}</th>
            </tr>
          </thead>
          <tbody>
            {months.toReversed().map(({ month, amounts, total }) => (
              <tr key={month.getTime()}>
                <th scope="row">{dateFormat(language, { month: 'long', year: 'numeric' }).format(month)}</th>
                {amounts.map((amount, index) => (
                  <td key={sites[index]?.id}>{money(amount)}</td>
                ))}
                <td>{money(total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
