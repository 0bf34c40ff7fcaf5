import classes from './amount-lines.module.css';

/** What a fact is called, and what it is. */
export type AmountLine = readonly [label: string, value: string];

/** The facts of a payment, one below the other. */
export function AmountLines({ lines }: { lines: readonly AmountLine[] }) {
  return (
    <dl className={classes.amounts}>
      {lines.map(([label, value]) => (
        <div key={label} className={classes.line}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
