import { Group, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CardsSkeleton } from './cards-skeleton';
import { Loading, TableSkeleton } from './skeletons';

/** The heading of a screen, with the big numbers where it has some. */
function Head({ hasCounts, children }: { hasCounts?: boolean | undefined; children: ReactNode }) {
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="md">
        <Skeleton height={36} width={280} maw="100%" />
        {hasCounts ? <Skeleton height={56} width={320} maw="100%" radius="md" /> : null}
      </Group>
      {children}
    </Stack>
  );
}

/** Stands for a list of cards while it loads. */
export function CardsPageSkeleton() {
  return (
    <Head>
      <CardsSkeleton height={152} />
    </Head>
  );
}

/** Stands for a screen with a table while it loads: tabs or tools above, rows below. */
export function TablePageSkeleton({ hasCounts }: { hasCounts?: boolean | undefined }) {
  return (
    <Head hasCounts={hasCounts}>
      <Skeleton height={42} width={360} maw="100%" radius="sm" />
      <TableSkeleton rows={8} />
    </Head>
  );
}

/** Stands for the history of a site while it loads: a table below the numbers of the site. */
export function HistoryPageSkeleton() {
  return <TablePageSkeleton hasCounts />;
}

/** Stands for a site while it loads: numbers, tabs, houses with their beds. */
export function SitePageSkeleton() {
  return (
    <Head hasCounts>
      <Skeleton height={42} width={440} maw="100%" radius="sm" />
      <CardsSkeleton cards={9} height={88} />
    </Head>
  );
}

/** Stands for what waits and what is free while they load: rows beside numbers. */
export function TodaySkeleton() {
  return (
    <>
      <Loading />
      <Group align="flex-start" gap="lg" grow preventGrowOverflow={false} wrap="wrap">
        <Skeleton height={420} radius="md" miw={280} />
        <Skeleton height={420} radius="md" miw={280} maw={400} />
      </Group>
    </>
  );
}

/** Stands for Today while it loads: the filters, then its parts. */
export function TodayPageSkeleton() {
  return (
    <Head>
      <Skeleton height={64} width={680} maw="100%" radius="sm" />
      <TodaySkeleton />
    </Head>
  );
}

/** Stands for a form, or for facts in sections, while it loads. */
export function FormPageSkeleton() {
  return (
    <Head>
      <Loading />
      {[220, 160, 280].map((height) => (
        <Skeleton key={height} height={height} radius="md" />
      ))}
    </Head>
  );
}

/** Stands for the choice of a bed, or for a guest, while it loads: the person beside the beds. */
export function GuestPageSkeleton() {
  return (
    <Head hasCounts>
      <Loading />
      <Group align="flex-start" gap="md" grow preventGrowOverflow={false} wrap="wrap">
        <Skeleton height={320} radius="md" miw={280} />
        <Skeleton height={420} radius="md" miw={280} />
      </Group>
    </Head>
  );
}
