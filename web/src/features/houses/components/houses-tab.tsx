import { Button, Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Printer } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '@/access/use-user';
import type { Schemas } from '@/api/client';
import { MANY_HOUSES } from '../ui/beds.utils';
import { useBedTexts } from '../ui/use-bed-texts';
import { useEnableBed } from '../ui/use-enable-bed';
import { EmptyState } from '@/components/empty-state';
import { lazyDialog } from '@/components/lazy-named';
import { usePrintedAt } from '@/components/print/print-sheet';
import { bedsOfType } from '../bed-types.utils';
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
import { useCompactBeds } from '../ui/use-compact-beds';
import { BedMenu } from './bed-menu';
import { HouseSection } from './house-section';
import classes from './houses.module.css';
import { HousesTools } from './houses-tools';
import { PrintReport } from './print-report';
import { ReportFiles } from './report-files';

const BedHistory = lazyDialog(() => import('./bed-history'), 'BedHistory');
const HousesDialogs = lazyDialog(() => import('./houses-dialogs'), 'HousesDialogs');

interface HousesTabProps {
  readonly site: Schemas['SiteDetails'];
  /** The bed tab, kept in the address. */
  readonly beds: BedFilter;
  readonly onBedsChange: (beds: BedFilter) => void;
  /** The type of the beds that are listed, kept in the address; all without it. */
  readonly type?: Bed['type'] | undefined;
  readonly onTypeChange: (type: Bed['type'] | undefined) => void;
  /** A bed was pressed. */
  readonly onOpenBed?: (bed: Bed) => void;
}

/** The Houses tab of a site: houses and their beds, to look at, to print and, for those allowed, to edit. */
export function HousesTab(props: HousesTabProps) {
  const { site, beds: filter, onBedsChange, type, onTypeChange, onOpenBed } = props;
  const { t } = useTranslation('houses');
  const texts = useBedTexts();
  const navigate = useNavigate();
  const siteId = site.id;
  const canEdit = useCan('houses.edit', { site });
  const [dialog, setDialog] = useState<HousesDialog | null>(null);
  const [historyOf, setHistoryOf] = useState<Bed | null>(null);
  const enable = useEnableBed(site.id);
  const ofType = useMemo(() => bedsOfType(site.rooms, type), [site.rooms, type]);
  const counts = useMemo(() => countBeds(ofType), [ofType]);
  const rooms = useMemo(() => filterBeds(ofType, filter), [ofType, filter]);
  const [isCompact, setCompact] = useCompactBeds();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const handleFold = useCallback(
    (roomId: string, isFolded: boolean) =>
      setFolded((before) => new Set(isFolded ? [...before, roomId] : [...before].filter((id) => id !== roomId))),
    [],
  );
  const canFold = site.rooms.length >= MANY_HOUSES;
  const showAll = () => {
    onTypeChange(undefined);
    onBedsChange('all');
  };
  const printedAt = usePrintedAt();

  const handleHouse = useCallback(
    (room: Room, action: HouseAction) => {
      // New beds are to be seen.
      handleFold(room.id, false);
      setDialog(dialogOfHouse(room, action));
    },
    [handleFold],
  );
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
  const menuOf = useCallback(
    (bed: Bed) => <BedMenu bed={bed} canEdit={canEdit} onBed={handleBed} />,
    [canEdit, handleBed],
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
      <HousesTools
        rooms={site.rooms}
        listed={rooms}
        type={type}
        onTypeChange={onTypeChange}
        isCompact={isCompact}
        onCompactChange={setCompact}
        folded={folded}
        onFold={setFolded}
      />
      {BED_FILTERS.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {rooms.length === 0 ? (
            <NoBeds filter={filter} type={type} canEdit={canEdit} onShowAll={showAll} />
          ) : (
            <div className={classes.houses} data-density={isCompact && canFold ? 'compact' : undefined}>
              {rooms.map((room) => (
                <HouseSection
                  key={room.id}
                  room={room}
                  texts={texts}
                  onHouse={canEdit && filter === 'all' && type === undefined ? handleHouse : undefined}
                  menuOf={menuOf}
                  isFolded={canFold && folded.has(room.id)}
                  onFold={canFold ? handleFold : undefined}
                  onOpenBed={onOpenBed}
                />
              ))}
            </div>
          )}
        </Tabs.Panel>
      ))}
      <BedHistory subject={historyOf} site={site} onClose={() => setHistoryOf(null)} />
      {canEdit && <HousesDialogs site={site} subject={dialog} onClose={() => setDialog(null)} />}
      {printedAt && <PrintReport site={site} rooms={rooms} filter={filter} type={type} printedAt={printedAt} />}
    </Tabs>
  );
}

interface NoBedsProps {
  readonly filter: BedFilter;
  readonly type: Bed['type'] | undefined;
  readonly canEdit: boolean;
  readonly onShowAll: () => void;
}

function NoBeds({ filter, type, canEdit, onShowAll }: NoBedsProps) {
  const { t } = useTranslation('houses');
  const texts = useBedTexts();
  const showAll = (
    <Button variant="default" mt="xs" onClick={onShowAll}>
      {t('empty.showAll')}
    </Button>
  );
  if (type !== undefined) {
    return <EmptyState title={t('empty.noneOfType', { type: texts.type(type) })} action={showAll} />;
  }
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
