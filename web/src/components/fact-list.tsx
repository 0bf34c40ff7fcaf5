import type { ReactNode } from 'react';
import classes from './fact-list.module.css';

/** One named thing; without a value it is left out. */
export interface Fact {
  label: string;
  value: ReactNode;
}

/** Named values below one another; what is not known or not for this user is left out. */
export function FactList({ facts }: { facts: readonly (Fact | null | undefined)[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact): fact is Fact => fact !== null && fact !== undefined)
        .filter(({ value }) => value !== null && value !== undefined && value !== '')
        .map(({ label, value }) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
