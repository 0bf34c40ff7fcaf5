import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useBedTexts } from '../ui/use-bed-texts';
import { EmptyState } from '@/components/empty-state';
import { HouseSection } from './house-section';
import classes from './houses.module.css';

interface BedsOverviewProps {
  readonly site: Pick<Schemas['SiteDetails'], 'rooms'>;
  /** A bed was pressed. */
  readonly onOpenBed?: (bed: Schemas['Bed']) => void;
}

/** All houses and beds of a site at a glance, read-only (spec B, section 2: site reservation details). */
export function BedsOverview({ site, onOpenBed }: BedsOverviewProps) {
  const { t } = useTranslation('houses');
  const texts = useBedTexts();
  if (site.rooms.length === 0) return <EmptyState title={t('empty.noHouses')} hint={t('empty.noHousesHintReadOnly')} />;
  return (
    <div className={classes.houses}>
      {site.rooms.map((room) => (
        <HouseSection key={room.id} room={room} texts={texts} onOpenBed={onOpenBed} />
      ))}
    </div>
  );
}
