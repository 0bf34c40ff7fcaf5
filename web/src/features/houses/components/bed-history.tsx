import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { DataTable } from '@/components/data-table/data-table';
import type { DataColumn, TableState } from '@/components/data-table/data-table.types';
import { Dialog } from '@/components/dialog/dialog';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { GuestName } from '@/components/guest-facts/guest-name';
import { TableSkeleton } from '@/components/skeletons';
import { formatDateTime } from '@/lib/time';
import { bedStaysQuery } from '../api/bed-stays-query';
import type { Bed } from '../houses.utils';

type Stay = Schemas['BedStay'];

interface BedHistoryProps {
  readonly subject: Bed | null;
  readonly site: Pick<Schemas['SiteDetails'], 'id' | 'timeZone'>;
  readonly onClose: () => void;
}

const FIRST_PAGE: TableState = { page: 0, size: 10, direction: 'desc', dense: false };

const idOf = ({ guestId, startedAt }: Stay) => `${guestId} ${startedAt}`;

/** Who held a bed, since when and until when, and who gave it to them. */
export function BedHistory({ subject, site, onClose }: BedHistoryProps) {
  const { t } = useTranslation('houses');
  return (
    <Dialog
      subject={subject}
      width={800}
      title={(bed) => t('bedHistory.title', { bed: bed.name, house: bed.room.name })}
      onClose={onClose}
    >
      {(bed) => <Stays bedId={bed.id} site={site} />}
    </Dialog>
  );
}

function Stays({ bedId, site }: { bedId: string; site: BedHistoryProps['site'] }) {
  const { t } = useTranslation('houses');
  const [state, setState] = useState(FIRST_PAGE);
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

function useColumns(timeZone: string): readonly DataColumn<Stay>[] {
  const { t, i18n } = useTranslation('houses');
  return useMemo(() => {
    const time = (instant: string | null, by: string | null) =>
      instant === null ? (
        t('bedHistory.now')
      ) : (
        <>
          <time dateTime={instant}>{formatDateTime(instant, i18n.language, timeZone)}</time>
          {by ? <div>{t('bedHistory.by', { name: by })}</div> : null}
        </>
      );
    return [
      { id: 'guest', header: t('bedHistory.guest'), cell: (stay) => <GuestName guest={stay} />, isTitle: true },
      { id: 'from', header: t('bedHistory.from'), cell: (stay) => time(stay.startedAt, stay.startedBy), width: '36%' },
      { id: 'until', header: t('bedHistory.until'), cell: (stay) => time(stay.endedAt, stay.endedBy), width: '36%' },
    ];
  }, [t, i18n.language, timeZone]);
}
