import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Says aloud that something loads. */
export function Loading() {
  const { t } = useTranslation();
  return <VisuallyHidden role="status">{t('loading')}</VisuallyHidden>;
}

/** Stands for a table while it loads: `rows` lines of 53 px. */
export function TableSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <Stack gap={1}>
      <Loading />
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={53} radius="sm" />
      ))}
    </Stack>
  );
}

/** Stands for a whole screen while it loads: heading, then content. */
export function PageSkeleton() {
  return (
    <Stack gap="lg">
      <Loading />
      <Skeleton height={32} width={280} />
      <Skeleton height={240} radius="md" />
    </Stack>
  );
}
