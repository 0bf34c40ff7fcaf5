import { Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/components/error-state';
import { TableSkeleton } from '@/components/skeletons';
import { occupancyQuery } from '../api/dashboard-queries';
import { formatDay, formatShare, type OccupancyDay, summaryOf } from '../dashboard.utils';
import { OccupancyChart } from './occupancy-chart';
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
            <OccupancyChart days={data.days} />
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
      {/* A scrolling area must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.scroll} role="region" tabIndex={0} aria-label={t('occupancy.asTable')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('occupancy.date')}</th>
              <th scope="col">{t('occupancy.occupied')}</th>
              <th scope="col">{t('occupancy.beds')}</th>
              <th scope="col">{t('occupancy.share')}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ date, beds, occupied }) => (
              <tr key={date}>
                <th scope="row">{formatDay(date, i18n.language)}</th>
                <td>{occupied}</td>
                <td>{beds}</td>
                <td>{beds > 0 ? formatShare(occupied / beds, i18n.language) : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
