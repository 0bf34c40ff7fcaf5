import classes from './number-table.module.css';

interface NumberTableProps {
  /** What the table shows, for screen readers. */
  label: string;
  head: readonly string[];
  /** The rows are days, whose names stay on one line. */
  byDay?: boolean;
  /** One text for each head. The first names the row. */
  rows: readonly { key: string; cells: readonly string[] }[];
}

/** A small table of numbers beside a chart. A long one scrolls. */
export function NumberTable({ label, head, byDay = false, rows }: NumberTableProps) {
  return (
    <>
      {/* A scrolling area must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.scroll} role="region" tabIndex={0} aria-label={label}>
        <table className={classes.table} aria-label={label} data-by-day={byDay}>
          <thead>
            <tr>
              {head.map((text) => (
                <th key={text} scope="col">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells: [name, ...numbers] }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {numbers.map((text, index) => (
                  <td key={head[index + 1]}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
