import { Skeleton } from '@mantine/core';
import classes from './link-card.module.css';
import { Loading } from './skeletons';

/** Stands for a grid of cards while it loads. */
export function CardsSkeleton({ cards = 6, height = 120 }: { cards?: number; height?: number }) {
  return (
    <>
      <Loading />
      <div className={classes.grid}>
        {Array.from({ length: cards }, (_, index) => (
          <Skeleton key={index} height={height} radius="md" />
        ))}
      </div>
    </>
  );
}
