import { Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay, formatShare } from '@/components/charts/chart.utils';
import { NumberTable } from '@/components/charts/number-table';
import { OccupancyChart } from '@/components/charts/occupancy-chart';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { occupancyQuery } from '../api/dashboard-queries';
import { type OccupancyDay, summaryOf } from '../dashboard.utils';
import classes from './occupancy.module.css';

const SPANS = ['30', '90', '365'] as const;

interface OccupancyPanelProps {
  title: string;
  /** One site; all sites without it. */
  siteId?: string;
}

/** How full the beds were: one sentence, a picture, and the same numbers as a table. */
export function OccupancyPanel({ title, siteId }: OccupancyPanelProps) {
  const { t } = useTranslation('dashboard');
  const heading = useId();
  const [span, setSpan] = useState<string>(SPANS[0]);
  const { data, error, refetch } = useQuery(occupancyQuery(siteId, Number(span)));
  return (
    <Card component="section" aria-labelledby={heading}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={3} id={heading}>
            {title}
          </Title>
          <SegmentedControl
            aria-label={t('occupancy.span')}
            value={span}
            onChange={setSpan}
            data={SPANS.map((days) => ({ value: days, label: t('occupancy.days', { count: Number(days) }) }))}
          />
        </Group>
        {data ? (
          <>
            <Text>
              <Summary days={data.days} />
            </Text>
            <OccupancyChart
              days={data.days}
              labels={{ occupied: t('occupancy.occupied'), beds: t('occupancy.beds') }}
            />
            <DaysTable days={data.days} />
          </>
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <TableSkeleton rows={4} />
        )}
      </Stack>
    </Card>
  );
}

function Summary({ days }: { days: readonly OccupancyDay[] }) {
  const { t, i18n } = useTranslation('dashboard');
  const { average, lowest, highest } = summaryOf(days);
  if (average === null || !lowest || !highest) return t('occupancy.none');
  const { language } = i18n;
  return t('occupancy.summary', {
    average: formatShare(average, language),
    lowest: formatShare(lowest.share, language),
    lowestDay: formatDay(lowest.date, language),
    highest: formatShare(highest.share, language),
    highestDay: formatDay(highest.date, language),
  });
}

/** The numbers of the picture, the newest first, for whoever reads rather than looks. */
function DaysTable({ days }: { days: readonly OccupancyDay[] }) {
  const { t, i18n } = useTranslation('dashboard');
  return (
    <details className={classes.days} data-print="hide">
      <summary className={classes.summary}>{t('occupancy.asTable')}</summary>
      <NumberTable
        label={t('occupancy.asTable')}
        byDay
        head={[t('occupancy.date'), t('occupancy.occupied'), t('occupancy.beds'), t('occupancy.share')]}
        rows={days.toReversed().map(({ date, beds, occupied }) => ({
          key: date,
          cells: [
            formatDay(date, i18n.language),
            String(occupied),
            String(beds),
            beds > 0 ? formatShare(occupied / beds, i18n.language) : '–',
          ],
        }))}
      />
    </details>
  );
}
