import type { ReactNode } from 'react';
import classes from './field-row.module.css';

interface FieldRowProps {
  /** One or two fields. */
  children: ReactNode;
  /** Of the size `md`, like the fields; null if there is nothing to press. */
  button: ReactNode;
}

/** Fields with a button beside their inputs, also while an error stands below one of them. On a phone it is below two fields. */
export function FieldRow({ children, button }: FieldRowProps) {
  return (
    <div className={classes.row}>
      {children}
      {button ? <div className={classes.button}>{button}</div> : null}
    </div>
  );
}
