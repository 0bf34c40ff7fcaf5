import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { DataTable } from '@/components/data-table/data-table';
import type { DataColumn, TableSearch, TableState } from '@/components/data-table/data-table.types';
import { useTableLook } from '@/components/data-table/use-table-look';
import { Dialog } from '@/components/dialog/dialog';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { GuestName } from '@/features/guests/ui/guest-name';
import { TableSkeleton } from '@/components/skeletons';
import { formatDateTime, formatDay } from '@/lib/time';
import { bedOutagesQuery, bedStaysQuery } from '../api/bed-history-queries';
import type { Bed } from '../houses.utils';
import { useBedTexts } from '../ui/use-bed-texts';

type Stay = Schemas['BedStay'];
type Outage = Schemas['BedOutage'];
type Span = Pick<Stay, 'startedAt' | 'startedBy' | 'endedAt' | 'endedBy'>;

interface BedHistoryProps {
  readonly subject: Bed | null;
  readonly site: Pick<Schemas['SiteDetails'], 'id' | 'timeZone'>;
  readonly onClose: () => void;
}

const FIRST_PAGE: TableSearch = { page: 0, direction: 'desc' };

const idOf = ({ guestId, startedAt }: Stay) => `${guestId} ${startedAt}`;

/** Who held a bed and when it was disabled, since when and until when, and who did it. */
export function BedHistory({ subject, site, onClose }: BedHistoryProps) {
  const { t } = useTranslation('houses');
  return (
    <Dialog
      subject={subject}
      width={800}
      title={(bed) => t('bedHistory.title', { bed: bed.name, house: bed.room.name })}
      onClose={onClose}
    >
      {(bed) => (
        <Stack gap="lg">
          <Stays bedId={bed.id} site={site} />
          <Outages bedId={bed.id} site={site} />
        </Stack>
      )}
    </Dialog>
  );
}

/** A table of the dialog: it begins with its first page, and looks as the user left it. */
function useTable(name: string): [state: TableState, onStateChange: (next: TableState) => void] {
  const [place, setPlace] = useState(FIRST_PAGE);
  const [look, changeTable] = useTableLook(name, place, 10);
  return [{ ...place, ...look }, (next) => changeTable(next, setPlace)];
}

function Stays({ bedId, site }: { bedId: string; site: BedHistoryProps['site'] }) {
  const { t } = useTranslation('houses');
  const [state, setState] = useTable('bed-stays');
  const columns = useColumns(site.timeZone);
  const { data, error, refetch } = useQuery(bedStaysQuery(site.id, bedId, state.page, state.size));
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TableSkeleton />;
  return (
    <DataTable
      label={t('bedHistory.label')}
      columns={columns}
      rows={data.items}
      rowId={idOf}
      state={state}
      onStateChange={setState}
      rowLink={({ guestId }) => ({
        to: '/reservations/guest/$siteId/$guestId',
        params: { siteId: site.id, guestId },
      })}
      empty={<EmptyState title={t('bedHistory.empty')} />}
      mode="server"
      totalCount={data.totalCount}
    />
  );
}

/** When the bed was disabled. Nothing at all for a bed that never was. */
function Outages({ bedId, site }: { bedId: string; site: BedHistoryProps['site'] }) {
  const { t } = useTranslation('houses');
  const [state, setState] = useTable('bed-outages');
  const columns = useOutageColumns(site.timeZone);
  const { data, error, refetch } = useQuery(bedOutagesQuery(site.id, bedId, state.page, state.size));
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null;
  if (data.totalCount === 0) return null;
  return (
    <section aria-labelledby="bed-outages">
      <Title order={3} size="h5" mb="xs" id="bed-outages">
        {t('bedHistory.outages')}
      </Title>
      <DataTable
        label={t('bedHistory.outages')}
        columns={columns}
        rows={data.items}
        rowId={({ startedAt }) => startedAt}
        state={state}
        onStateChange={setState}
        empty={null}
        mode="server"
        totalCount={data.totalCount}
      />
    </section>
  );
}

/** The columns From and Until of both tables. */
function useTimeColumns(timeZone: string, now: string) {
  const { t, i18n } = useTranslation('houses');
  return useMemo(() => {
    const time = (instant: string | null, by: string | null) =>
      instant === null ? (
        now
      ) : (
        <>
          <time dateTime={instant}>{formatDateTime(instant, i18n.language, timeZone)}</time>
          {by ? <div>{t('bedHistory.by', { name: by })}</div> : null}
        </>
      );
    const from: DataColumn<Span> = {
      id: 'from',
      header: t('bedHistory.from'),
      cell: ({ startedAt, startedBy }) => time(startedAt, startedBy),
      width: '36%',
    };
    const until: DataColumn<Span> = {
      id: 'until',
      header: t('bedHistory.until'),
      cell: ({ endedAt, endedBy }) => time(endedAt, endedBy),
      width: '36%',
    };
    return [from, until];
  }, [t, i18n.language, timeZone, now]);
}

function useColumns(timeZone: string): readonly DataColumn<Stay>[] {
  const { t } = useTranslation('houses');
  const times = useTimeColumns(timeZone, t('bedHistory.now'));
  return useMemo<readonly DataColumn<Stay>[]>(
    () => [
      { id: 'guest', header: t('bedHistory.guest'), cell: (stay) => <GuestName guest={stay} />, isTitle: true },
      ...times,
    ],
    [t, times],
  );
}

function useOutageColumns(timeZone: string): readonly DataColumn<Outage>[] {
  const { t, i18n } = useTranslation('houses');
  const texts = useBedTexts();
  const times = useTimeColumns(timeZone, t('bedHistory.disabledNow'));
  return useMemo<readonly DataColumn<Outage>[]>(() => {
    const why = ({ kind, reason, expectedBack, endedAt }: Outage) => (
      <>
        {texts.outage(kind, reason)}
        {expectedBack ? (
          <div>
            {t(endedAt === null ? 'bedHistory.expectedBack' : 'bedHistory.wasExpectedBack', {
              day: formatDay(expectedBack, i18n.language),
            })}
          </div>
        ) : null}
      </>
    );
    return [{ id: 'reason', header: t('disable.reason'), cell: why, isTitle: true }, ...times];
  }, [t, i18n.language, texts, times]);
}
