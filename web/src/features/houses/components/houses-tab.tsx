import { Button, Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Printer } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { useBedTexts } from '../ui/use-bed-texts';
import { useEnableBed } from '../ui/use-enable-bed';
import { EmptyState } from '@/components/empty-state';
import { lazyDialog } from '@/components/lazy-named';
import { usePrintedAt } from '@/components/print/print-sheet';
import {
  BED_FILTERS,
  type Bed,
  type BedAction,
  type BedFilter,
  countBeds,
  dialogOfBed,
  dialogOfHouse,
  filterBeds,
  type HouseAction,
  type HousesDialog,
  type Room,
} from '../houses.utils';
import { HouseSection } from './house-section';
import classes from './houses.module.css';
import { PrintReport } from './print-report';
import { ReportFiles } from './report-files';

const BedHistory = lazyDialog(() => import('./bed-history'), 'BedHistory');
const HousesDialogs = lazyDialog(() => import('./houses-dialogs'), 'HousesDialogs');

interface HousesTabProps {
  readonly site: Schemas['SiteDetails'];
  /** The bed tab, kept in the address. */
  readonly beds: BedFilter;
  readonly onBedsChange: (beds: BedFilter) => void;
  /** A bed was pressed. */
  readonly onOpenBed?: (bed: Bed) => void;
}

/** The Houses tab of a site: houses and their beds, to look at, to print and, for those allowed, to edit. */
export function HousesTab({ site, beds: filter, onBedsChange, onOpenBed }: HousesTabProps) {
  const { t } = useTranslation('houses');
  const texts = useBedTexts();
  const navigate = useNavigate();
  const siteId = site.id;
  const canEdit = useCan('houses.edit', { site });
  const [dialog, setDialog] = useState<HousesDialog | null>(null);
  const [historyOf, setHistoryOf] = useState<Bed | null>(null);
  const enable = useEnableBed(site.id);
  const counts = useMemo(() => countBeds(site.rooms), [site.rooms]);
  const rooms = useMemo(() => filterBeds(site.rooms, filter), [site.rooms, filter]);
  const printedAt = usePrintedAt();

  const handleHouse = useCallback((room: Room, action: HouseAction) => setDialog(dialogOfHouse(room, action)), []);
  const handleBed = useCallback(
    async (bed: Bed, action: BedAction) => {
      if (action === 'guest') {
        if (!bed.guest) return;
        const params = { siteId, guestId: bed.guest.id };
        void navigate({ to: '/reservations/guest/$siteId/$guestId', params });
        return;
      }
      if (action === 'history') {
        setHistoryOf(bed);
        return;
      }
      if (action !== 'enable') {
        setDialog(dialogOfBed(bed, action));
        return;
      }
      await enable(bed);
    },
    [enable, navigate, siteId],
  );

  return (
    <Tabs
      value={filter}
      onChange={(value) => onBedsChange(BED_FILTERS.find((known) => known === value) ?? 'all')}
      variant="pills"
      keepMounted={false}
    >
      <div className={classes.head}>
        <Tabs.List aria-label={t('filter.label')} data-tour="bed-filter">
          {BED_FILTERS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`filter.${name}`)} <span className={classes.number}>{counts[name]}</span>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className={classes.tools}>
          <Button
            variant="default"
            leftSection={<Printer size={16} aria-hidden />}
            onClick={() => window.print()}
            data-tour="print-report"
          >
            {t('printReport')}
          </Button>
          <ReportFiles siteId={site.id} filter={filter} />
          {canEdit && (
            <Button
              leftSection={<Plus size={16} aria-hidden />}
              onClick={() => setDialog({ kind: 'add-house' })}
              data-tour="add-house"
            >
              {t('addHouse')}
            </Button>
          )}
        </div>
      </div>
      {BED_FILTERS.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {rooms.length === 0 ? (
            <NoBeds filter={filter} canEdit={canEdit} onShowAll={() => onBedsChange('all')} />
          ) : (
            <div className={classes.houses}>
              {rooms.map((room) => (
                <HouseSection
                  key={room.id}
                  room={room}
                  texts={texts}
                  onHouse={canEdit && filter === 'all' ? handleHouse : undefined}
                  canEdit={canEdit}
                  onBed={handleBed}
                  onOpenBed={onOpenBed}
                />
              ))}
            </div>
          )}
        </Tabs.Panel>
      ))}
      <BedHistory subject={historyOf} site={site} onClose={() => setHistoryOf(null)} />
      {canEdit && <HousesDialogs site={site} subject={dialog} onClose={() => setDialog(null)} />}
      {printedAt && <PrintReport site={site} rooms={rooms} filter={filter} printedAt={printedAt} />}
    </Tabs>
  );
}

interface NoBedsProps {
  readonly filter: BedFilter;
  readonly canEdit: boolean;
  readonly onShowAll: () => void;
}

function NoBeds({ filter, canEdit, onShowAll }: NoBedsProps) {
  const { t } = useTranslation('houses');
  const showAll = (
    <Button variant="default" mt="xs" onClick={onShowAll}>
      {t('empty.showAll')}
    </Button>
  );
  switch (filter) {
    case 'all':
      return (
        <EmptyState
          title={t('empty.noHouses')}
          hint={canEdit ? t('empty.noHousesHint') : t('empty.noHousesHintReadOnly')}
        />
      );
    case 'vacant':
      return <EmptyState title={t('empty.noVacant')} hint={t('empty.noVacantHint')} action={showAll} />;
    case 'occupied':
      return <EmptyState title={t('empty.noOccupied')} hint={t('empty.noOccupiedHint')} action={showAll} />;
  }
}
