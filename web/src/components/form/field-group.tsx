import type { ReactNode } from 'react';
import classes from './field-group.module.css';

interface FieldGroupProps {
  title: string;
  children: ReactNode;
}

/** Fields of a long form that belong together, in a frame with a title. */
export function FieldGroup({ title, children }: FieldGroupProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{title}</legend>
      {children}
    </fieldset>
  );
}
