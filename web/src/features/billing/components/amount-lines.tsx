import { Skeleton } from '@mantine/core';
import classes from './amount-lines.module.css';

/** What a fact is called, and what it is; undefined while that is not known yet, which keeps its place. */
export type AmountLine = readonly [label: string, value: string | undefined];

/** The facts of a payment, one below the other. */
export function AmountLines({ lines }: { lines: readonly AmountLine[] }) {
  return (
    <dl className={classes.amounts}>
      {lines.map(([label, value]) => (
        <div key={label} className={classes.line}>
          <dt>{label}</dt>
          <dd>{value ?? <Skeleton width={128}>{'\u00a0'}</Skeleton>}</dd>
        </div>
      ))}
    </dl>
  );
}
