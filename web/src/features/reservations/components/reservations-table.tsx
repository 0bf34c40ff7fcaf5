import { Group, Stack } from '@mantine/core';
import { Check, Search, X } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { DataTable } from '@/components/data-table/data-table';
import type { TableState } from '@/components/data-table/data-table.types';
import { EmptyState } from '@/components/empty-state';
import { GuestFilter } from '@/features/guests/ui/guest-filter';
import { fitsText } from '@/features/guests/ui/guest-facts.utils';
import { useNewRows } from '@/components/use-new-rows';
import { PrintButton } from '@/components/print/print-button';
import { usePrintedFilter } from '@/components/print/print-sheet';
import { waitingReservations } from '../reservations.utils';
import { NewReservations } from '../ui/new-reservations';
import { useReservationColumns } from './use-reservation-columns';

type Guest = Schemas['Guest'];

const idOf = ({ id }: Guest) => id;

interface ReservationsTableProps {
  site: Schemas['SiteDetails'];
  /** Pending and assigned guests of the site; only the pending ones are shown. */
  guests: readonly Guest[];
  state: TableState;
  onStateChange: (state: TableState) => void;
  onOpen: (guest: Guest) => void;
  onAccept: (guest: Guest) => void;
  onDecline: (guest: Guest) => void;
  /** The 'New Guest' button of those who may add guests. */
  action?: ReactNode;
}

/** The reservations tab: what waits for a decision, and how long it is held (spec B section 2). */
export function ReservationsTable(props: ReservationsTableProps) {
  const { site, guests, state, onStateChange, onOpen, onAccept, onDecline, action } = props;
  const { t } = useTranslation('reservations');
  const canDecide = useCan('guest.accept', { site });
  const canSeeContacts = useCan('guest.viewContacts', { site });
  const columns = useReservationColumns(site, canSeeContacts);
  const [filter, setFilter] = useState('');
  const facts = usePrintedFilter(filter);
  const waiting = useMemo(() => waitingReservations(guests), [guests]);
  const shown = useMemo(() => waiting.filter((guest) => fitsText(guest, filter)), [waiting, filter]);
  const newRows = useNewRows({ scope: site.id, ids: waiting.map(idOf), isWhole: true });
  // Keeps its identity, so that a change of one reservation draws one row.
  const rowActions = useCallback(
    (guest: Guest) => [
      {
        label: t('decline'),
        accessibleLabel: t('declineLabel', { guest: guest.displayName }),
        icon: <X size={16} aria-hidden />,
        shortcut: 'd',
        onSelect: () => onDecline(guest),
      },
      {
        label: t('accept'),
        accessibleLabel: t('acceptLabel', { guest: guest.displayName }),
        icon: <Check size={16} aria-hidden />,
        primary: true,
        shortcut: 'a',
        onSelect: () => onAccept(guest),
      },
    ],
    [t, onDecline, onAccept],
  );
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <GuestFilter value={filter} onChange={setFilter} />
        <Group gap="sm">
          <PrintButton />
          {action}
        </Group>
      </Group>
      <NewReservations guests={waiting} newIds={newRows} />
      <DataTable
        label={t('tableLabel')}
        columns={columns}
        rows={shown}
        rowId={idOf}
        state={state}
        onStateChange={onStateChange}
        onRowClick={onOpen}
        newRows={newRows}
        rowActions={canDecide ? rowActions : undefined}
        empty={
          filter.trim() !== '' && waiting.length > 0 ? (
            <EmptyState
              icon={<Search size={32} strokeWidth={1.5} />}
              title={t('emptyFilter')}
              hint={t('emptyFilterHint')}
            />
          ) : (
            <EmptyState title={t('empty')} hint={t('emptyHint')} />
          )
        }
        order={t('order')}
        print={{ title: t('tableLabel'), site, facts }}
        mode="client"
        unpaged
      />
    </Stack>
  );
}
