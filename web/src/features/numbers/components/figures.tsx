import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { averageFormat, formatDay, formatShare } from '@/components/charts/chart.utils';
import { NumberTable } from '@/components/charts/number-table';
import { lazyNamed } from '@/components/lazy-named';
import { formatNumber } from '@/lib/format';
import { bandRanges, formatMinutes, partOf } from '../numbers.utils';
import { FigureCard, type FigureSource } from './figure-card';
import classes from './numbers.module.css';

/** Tables come first; their charts follow. */
const fallback = <Skeleton height={200} radius="md" />;
const OccupancyChart = lazyNamed(() => import('@/components/charts/occupancy-chart'), 'OccupancyChart', { fallback });
const BarChart = lazyNamed(() => import('@/components/charts/bar-chart'), 'BarChart', { fallback });

type Numbers = Schemas['Numbers'];

/** The numbers of a range, and where their files come from. */
export interface FigureProps {
  numbers: Numbers;
  source: FigureSource;
}

/** How the figures write numbers and shares. */
function useFormats() {
  const { i18n } = useTranslation();
  const { language } = i18n;
  return {
    language,
    number: (value: number) => formatNumber(value, language),
    averages: (...values: (number | null)[]) => {
      const format = averageFormat(values, language);
      return (value: number | null) => (value === null ? '–' : format(value));
    },
    share: (value: number | null) => (value === null ? '–' : formatShare(value, language)),
    minutes: (value: number | null) => (value === null ? '–' : formatMinutes(value, language)),
  };
}

/** Occupied beds of the enabled ones, day by day. */
export function Occupancy({ numbers: { occupancy }, source }: FigureProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const { language, averages, share } = useFormats();
  const average = averages(...occupancy.days.flatMap(({ occupied, enabled }) => [occupied, enabled]));
  return (
    <FigureCard
      figure="occupancy"
      source={source}
      note={t('occupancy.note')}
      empty={occupancy.share === null ? t('occupancy.empty') : undefined}
      facts={[{ label: t('occupancy.all'), value: share(occupancy.share) }]}
      chart={
        <OccupancyChart
          days={occupancy.days.map(({ date, enabled, occupied }) => ({ date, beds: enabled, occupied }))}
          labels={{ occupied: t('occupancy.occupied'), beds: t('occupancy.enabled') }}
        />
      }
      table={
        <NumberTable
          label={t('occupancy.title')}
          byDay
          head={[t('occupancy.day'), t('occupancy.occupied'), t('occupancy.enabled'), t('occupancy.share')]}
          rows={occupancy.days.toReversed().map((day) => ({
            key: day.date,
            cells: [formatDay(day.date, language), average(day.occupied), average(day.enabled), share(day.share)],
          }))}
        />
      }
    />
  );
}

/** How long guests stayed. */
export function LengthOfStay({ numbers: { lengthOfStay }, source }: FigureProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const { number, averages, share } = useFormats();
  const average = averages(lengthOfStay.medianDays, lengthOfStay.averageDays);
  const rows = bandRanges(lengthOfStay.bands, 1).map(({ from, upTo, count }) => ({
    key: String(from),
    count,
    label: upTo === null ? t('lengthOfStay.more', { from }) : t('lengthOfStay.band', { from, to: upTo }),
  }));
  return (
    <FigureCard
      figure="lengthOfStay"
      source={source}
      note={t('lengthOfStay.note')}
      empty={lengthOfStay.guests === 0 ? t('lengthOfStay.empty') : undefined}
      facts={[
        { label: t('lengthOfStay.guests'), value: number(lengthOfStay.guests) },
        { label: t('lengthOfStay.median'), value: average(lengthOfStay.medianDays) },
        { label: t('lengthOfStay.average'), value: average(lengthOfStay.averageDays) },
      ]}
      chart={<BarChart rows={rows.map(({ key, label, count }) => ({ key, label, values: [count] }))} />}
      table={
        <NumberTable
          label={t('lengthOfStay.title')}
          head={[t('lengthOfStay.days'), t('guests'), t('share')]}
          rows={rows.map(({ key, label, count }) => ({
            key,
            cells: [label, number(count), share(partOf(count, lengthOfStay.guests))],
          }))}
        />
      }
    />
  );
}

/** How long reservations waited for a decision. */
export function Decisions({ numbers: { decisionsFromSearch: search, decisionsByHand: byHand }, source }: FigureProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const { number, minutes } = useFormats();
  const others = bandRanges(byHand.bands, 0);
  const rows = bandRanges(search.bands, 0).map(({ from, upTo, count }, index) => ({
    key: String(from),
    label:
      upTo === null
        ? t('decisions.more', { count: Math.floor(from / 60) })
        : t('decisions.upTo', { count: Math.floor(upTo / 60) }),
    values: [count, others[index]?.count ?? 0],
  }));
  const series = [t('decisions.search'), t('decisions.byHand')];
  return (
    <FigureCard
      figure="decisions"
      source={source}
      note={t('decisions.note')}
      empty={search.decisions + byHand.decisions === 0 ? t('decisions.empty') : undefined}
      facts={[
        { label: t('decisions.median'), value: minutes(search.medianMinutes) },
        { label: t('decisions.ninetieth'), value: minutes(search.ninetiethMinutes) },
        { label: t('decisions.medianByHand'), value: minutes(byHand.medianMinutes) },
        { label: t('decisions.ninetiethByHand'), value: minutes(byHand.ninetiethMinutes) },
      ]}
      chart={<BarChart series={series} rows={rows} />}
      table={
        <NumberTable
          label={t('decisions.title')}
          head={[t('decisions.time'), ...series]}
          rows={rows.map(({ key, label, values }) => ({ key, cells: [label, ...values.map(number)] }))}
        />
      }
    />
  );
}

/** How holds ended. */
export function Holds({ numbers: { holds }, source }: FigureProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const { number, share } = useFormats();
  const rows = (['accepted', 'declined', 'cancelled', 'expired'] as const).map((end) => ({
    key: end,
    label: t(`holds.${end}`),
    count: holds[end],
  }));
  return (
    <FigureCard
      figure="holds"
      source={source}
      note={t('holds.note')}
      empty={holds.ended === 0 ? t('holds.empty') : undefined}
      facts={[
        { label: t('holds.expiredShare'), value: share(holds.expiredShare) },
        { label: t('holds.ended'), value: number(holds.ended) },
      ]}
      chart={<BarChart rows={rows.map(({ key, label, count }) => ({ key, label, values: [count] }))} />}
      table={
        <NumberTable
          label={t('holds.title')}
          head={[t('holds.end'), t('holds.holds'), t('share')]}
          rows={rows.map(({ key, label, count }) => ({
            key,
            cells: [label, number(count), share(partOf(count, holds.ended))],
          }))}
        />
      }
    />
  );
}

/** Why guests were declined and discharged. */
export function Reasons({ numbers: { declineReasons, dischargeReasons }, source }: FigureProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  return (
    <FigureCard
      figure="reasons"
      source={source}
      note={t('reasons.note')}
      empty={declineReasons.guests + dischargeReasons.guests === 0 ? t('reasons.empty') : undefined}
      facts={[]}
      chart={
        <>
          <ReasonChart title={t('reasons.declined')} reasons={declineReasons} />
          <ReasonChart title={t('reasons.discharged')} reasons={dischargeReasons} />
        </>
      }
      table={
        <>
          <ReasonTable title={t('reasons.declined')} reasons={declineReasons} />
          <ReasonTable title={t('reasons.discharged')} reasons={dischargeReasons} />
        </>
      }
    />
  );
}

interface ReasonsProps {
  title: string;
  reasons: Numbers['declineReasons'];
}

/** The chosen reasons, the free texts that have words, then the others, then none. */
function useReasonRows({ chosen, listed, other, none }: ReasonsProps['reasons']) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  return [
    ...chosen.map(({ reason, guests }) => ({ key: `chosen ${reason}`, label: reason, count: guests })),
    ...listed.map(({ reason, guests }) => ({ key: `words ${reason}`, label: reason, count: guests })),
    { key: 'other', label: t('reasons.other'), count: other },
    { key: 'none', label: t('reasons.none'), count: none },
  ];
}

function ReasonChart({ title, reasons }: ReasonsProps) {
  const rows = useReasonRows(reasons);
  if (reasons.guests === 0) return null;
  return (
    <>
      <p className={classes.caption} aria-hidden>
        {title}
      </p>
      <BarChart rows={rows.map(({ key, label, count }) => ({ key, label, values: [count] }))} />
    </>
  );
}

function ReasonTable({ title, reasons }: ReasonsProps) {
  const { t } = useTranslation('dashboard', { keyPrefix: 'numbers' });
  const { number, share } = useFormats();
  const rows = useReasonRows(reasons);
  if (reasons.guests === 0) return null;
  return (
    <>
      <h3 className={classes.caption}>{title}</h3>
      <NumberTable
        label={title}
        head={[t('reasons.reason'), t('guests'), t('share')]}
        rows={rows.map(({ key, label, count }) => ({
          key,
          cells: [label, number(count), share(partOf(count, reasons.guests))],
        }))}
      />
    </>
  );
}
