import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './status-badge.module.css';

/** Colours with enough contrast as light badges (guide web section 12). */
export type StatusTone = 'brand' | 'green' | 'yellow' | 'gray' | 'red' | 'blue';

interface StatusBadgeProps {
  tone: StatusTone;
  /** Shown before the word: state is never colour alone. */
  icon?: ReactNode;
  children: ReactNode;
}

/** One word about a state. */
export function StatusBadge({ tone, icon, children }: StatusBadgeProps) {
  return (
    <Badge color={tone} variant="light" size="md" leftSection={icon} className={classes.badge}>
      {children}
    </Badge>
  );
}
