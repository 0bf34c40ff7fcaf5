import { useTranslation } from 'react-i18next';
import { formatNumber } from '@/lib/format';
import classes from './bar-chart.module.css';

interface BarChartProps {
  /** The names of the bars of each row. One series needs no name. */
  series?: readonly string[];
  /** One value for each series. */
  rows: readonly { key: string; label: string; values: readonly number[] }[];
}

/**
 * Rows of horizontal bars, drawn by hand: boxes of a width need no library. Screen readers skip it: the table beside it has
 * the same numbers.
 */
export function BarChart({ series = [], rows }: BarChartProps) {
  const { i18n } = useTranslation();
  const top = Math.max(1, ...rows.flatMap(({ values }) => values));
  return (
    <figure className={classes.figure} aria-hidden>
      {series.length > 1 ? (
        <p className={classes.legend}>
          {series.map((name, index) => (
            <span key={name} className={classes.key} data-series={index}>
              {name}
            </span>
          ))}
        </p>
      ) : null}
      <div className={classes.rows}>
        {rows.map(({ key, label, values }) => (
          <div key={key} className={classes.row}>
            <span className={classes.label}>{label}</span>
            <span className={classes.bars}>
              {values.map((value, index) => (
                <span key={series[index] ?? index} className={classes.line}>
                  <span
                    className={classes.bar}
                    data-series={index}
                    // However small a number is, its bar can be seen.
                    style={{ width: `${(value / top) * 100}%`, minWidth: value > 0 ? 2 : 0 }}
                  />
                  <span className={classes.value}>{formatNumber(value, i18n.language)}</span>
                </span>
              ))}
            </span>
          </div>
        ))}
      </div>
    </figure>
  );
}
