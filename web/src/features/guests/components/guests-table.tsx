import { Button, Group, Stack } from '@mantine/core';
import { ArrowLeftRight, BedDouble, CircleSlash, DoorOpen, LogOut, Search } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCan } from '@/access/use-user';
import { DataTable } from '@/components/data-table/data-table';
import type { DataColumn, RowLink, TableState } from '@/components/data-table/data-table.types';
import { EmptyState } from '@/components/empty-state';
import { GuestFilter } from '../ui/guest-filter';
import { fitsText, placeOf } from '../ui/guest-facts.utils';
import { PrintButton } from '@/components/print/print-button';
import { usePrintedFilter } from '@/components/print/print-sheet';
import { assignedGuests } from './guest-table.utils';

type Guest = Schemas['Guest'];

const idOf = ({ id }: Guest) => id;

interface GuestsTableProps {
  site: Schemas['SiteDetails'];
  /** Pending and assigned guests of the site; only the assigned ones are shown. */
  guests: readonly Guest[];
  state: TableState;
  onStateChange: (state: TableState) => void;
  onReassign: (guest: Guest) => void;
  onDischarge: (guest: Guest) => void;
  /** For a guest who is arriving, in place of a discharge. */
  onArrived: (guest: Guest) => void;
  onNoShow: (guest: Guest) => void;
  onMoveGuests: () => void;
}

/** The guests tab: who sleeps where and since when (spec B section 2). Staff see it without the row menu. */
export function GuestsTable(props: GuestsTableProps) {
  const { site, guests, state, onStateChange, onReassign, onDischarge, onArrived, onNoShow, onMoveGuests } = props;
  const { t } = useTranslation(['guests', 'common']);
  const canPlace = useCan('guest.reassign', { site });
  const [filter, setFilter] = useState('');
  const facts = usePrintedFilter(filter);
  const assigned = useMemo(() => assignedGuests(guests), [guests]);
  const shown = useMemo(() => assigned.filter((guest) => fitsText(guest, filter)), [assigned, filter]);
  const columns = useMemo<DataColumn<Guest>[]>(
    () => [
      {
        id: 'guest',
        header: t('column.guest'),
        cell: (guest) => guest.displayName,
        sortValue: (guest) => guest.displayName,
        isTitle: true,
      },
      {
        id: 'days',
        header: t('column.days'),
        cell: (guest) =>
          guest.isArriving ? t('status.arriving') : t('common:daysStayed', { count: guest.daysStayed }),
        sortValue: (guest) => (guest.isArriving ? 0 : guest.daysStayed),
        width: '20%',
      },
      {
        id: 'place',
        header: t('column.place'),
        cell: (guest) => {
          const place = placeOf(guest);
          return place ? t('place', place) : t('noPlace');
        },
        sortValue: (guest) => {
          const place = placeOf(guest);
          return place ? `${place.room} ${place.bed}` : null;
        },
        width: '36%',
      },
    ],
    [t],
  );
  // These keep their identity, so that a change of one guest draws one row.
  const rowLink = useCallback(
    (guest: Guest): RowLink => ({
      to: '/reservations/guest/$siteId/$guestId',
      params: { siteId: site.id, guestId: guest.id },
    }),
    [site.id],
  );
  const rowMenu = useCallback(
    (guest: Guest) => ({
      label: t('menu', { guest: guest.displayName }),
      entries: [
        {
          label: t('reassign'),
          icon: <ArrowLeftRight size={16} aria-hidden />,
          onSelect: () => onReassign(guest),
        },
        ...(guest.isArriving
          ? [
              {
                label: t('arrival.arrived'),
                icon: <DoorOpen size={16} aria-hidden />,
                onSelect: () => onArrived(guest),
              },
              {
                label: t('arrival.noShow'),
                icon: <CircleSlash size={16} aria-hidden />,
                danger: true,
                onSelect: () => onNoShow(guest),
              },
            ]
          : [
              {
                label: t('discharge'),
                icon: <LogOut size={16} aria-hidden />,
                danger: true,
                onSelect: () => onDischarge(guest),
              },
            ]),
      ],
    }),
    [t, onReassign, onDischarge, onArrived, onNoShow],
  );
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <GuestFilter value={filter} onChange={setFilter} />
        <Group gap="sm">
          <PrintButton />
          {canPlace ? (
            <Button
              data-tour="move-guests"
              data-shortcut="m"
              leftSection={<BedDouble size={18} aria-hidden />}
              onClick={onMoveGuests}
            >
              {t('moveGuests')}
            </Button>
          ) : null}
        </Group>
      </Group>
      <DataTable
        label={t('tableLabel')}
        columns={columns}
        rows={shown}
        rowId={idOf}
        state={state}
        onStateChange={onStateChange}
        rowLink={rowLink}
        rowMenu={canPlace ? rowMenu : undefined}
        empty={
          filter.trim() !== '' && assigned.length > 0 ? (
            <EmptyState
              icon={<Search size={32} strokeWidth={1.5} />}
              title={t('emptyFilter')}
              hint={t('emptyFilterHint')}
            />
          ) : (
            <EmptyState title={t('empty')} hint={t('emptyHint')} />
          )
        }
        print={{ title: t('tableLabel'), site, facts }}
        maxHeight="70vh"
        mode="client"
        unpaged
      />
    </Stack>
  );
}
