import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { CSSProperties, ReactNode } from 'react';
import { Loading } from '@/components/skeletons';
import { smallerThan } from '@/lib/breakpoints';
import classes from './summary-frame.module.css';

/** Numbers of reservations that wait and of sites. */
export interface SummarySize {
  waiting: number;
  sites: number;
}

const MAXIMA: SummarySize = { waiting: 5, sites: 6 };
const NARROW_MAXIMA: SummarySize = { waiting: 3, sites: 3 };

/** How many reservations and sites the summary shows at most. */
export function useMaxima(): SummarySize {
  const isNarrow = useMediaQuery(smallerThan('tablet'), undefined, { getInitialValueInEffect: false });
  return isNarrow ? NARROW_MAXIMA : MAXIMA;
}

interface SummaryFrameProps {
  /** What is expected before the answer is there; unless given, as much as the summary shows. */
  expected?: SummarySize | undefined;
  labelledBy?: string;
  children: ReactNode;
}

/** The frame of the summary: as high while it loads as afterwards, so that nothing below moves. */
export function SummaryFrame({ expected, labelledBy, children }: SummaryFrameProps) {
  return (
    <section className={classes.frame} style={useRoom(expected)} aria-labelledby={labelledBy}>
      {children}
    </section>
  );
}

/** Stands for the summary while it loads. */
export function SummarySkeleton({ expected }: Pick<SummaryFrameProps, 'expected'>) {
  return (
    <div className={classes.frame} style={useRoom(expected)}>
      <Loading />
      <Skeleton height={28} width={120} className={classes.head} />
      <Skeleton className={classes.waiting} radius="sm" />
      <Skeleton className={classes.free} radius="sm" />
    </div>
  );
}

/** Height of the sentence that is shown without rows, in rows. */
const NO_ROW = 0.7;

function useRoom(expected: SummarySize | undefined): CSSProperties {
  const maxima = useMaxima();
  const { waiting, sites } = expected ?? { waiting: maxima.waiting + 1, sites: maxima.sites + 1 };
  return {
    '--rows': Math.min(waiting, maxima.waiting) || NO_ROW,
    '--more-rows': waiting > maxima.waiting ? 1 : 0,
    '--lines': Math.min(sites, maxima.sites) || NO_ROW,
    '--more-lines': sites > maxima.sites ? 1 : 0,
  } as CSSProperties;
}
