import { SimpleGrid, Skeleton } from '@mantine/core';
import { Loading } from './skeletons';

/** Stands for a grid of cards while it loads. */
export function CardsSkeleton({ cards = 6, height = 120 }: { cards?: number; height?: number }) {
  return (
    <>
      <Loading />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        {Array.from({ length: cards }, (_, index) => (
          <Skeleton key={index} height={height} radius="md" />
        ))}
      </SimpleGrid>
    </>
  );
}
