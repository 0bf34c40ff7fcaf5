import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Loading } from '@/components/skeletons';
import classes from './summary-frame.module.css';

/** The frame of the summary: as high while it loads as afterwards, so that nothing below moves. */
export function SummaryFrame({ labelledBy, children }: { labelledBy?: string; children: ReactNode }) {
  return (
    <section className={classes.frame} aria-labelledby={labelledBy}>
      {children}
    </section>
  );
}

/** Stands for the summary while it loads. */
export function SummarySkeleton() {
  return (
    <div className={classes.frame} aria-hidden={false}>
      <Loading />
      <Skeleton height={28} width={120} className={classes.head} />
      <Skeleton className={classes.waiting} radius="sm" />
      <Skeleton className={classes.free} radius="sm" />
    </div>
  );
}
