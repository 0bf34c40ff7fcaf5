import { ChevronDown } from 'lucide-react';
import { type CSSProperties, memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BedTile } from '../ui/bed-tile';
import { useMeantFor } from '../ui/use-meant-for';
import type { BedTexts } from '../ui/use-bed-texts';
import { MenuButton } from '@/components/menu-button';
import { pictureUrl } from '@/components/picture';
import type { Bed, HouseAction, Room } from '../houses.utils';
import classes from './houses.module.css';

/** The id of a house's heading. */
export const houseHeadingId = (roomId: string) => `house-${roomId}`;

interface HouseSectionProps {
  readonly room: Room;
  readonly texts: BedTexts;
  /** Without it the house itself is read-only. */
  readonly onHouse?: (room: Room, action: HouseAction) => void;
  /** The menu of a bed; keep the function the same from render to render. Without it beds have none. */
  readonly menuOf?: (bed: Bed) => ReactNode;
  /** Only the heading is shown. */
  readonly isFolded?: boolean;
  /** Shows or hides the beds; keep the function the same from render to render. Without it the house does not fold. */
  readonly onFold?: (roomId: string, isFolded: boolean) => void;
  /** A bed was pressed; keep the function the same from render to render. Without it the tiles cannot be pressed. */
  readonly onOpenBed?: (bed: Bed) => void;
}

/** A house as a frame around the grid of its beds, four in a row. */
export const HouseSection = memo(function HouseSection(props: HouseSectionProps) {
  const { room, texts, onHouse, menuOf, isFolded = false, onFold, onOpenBed } = props;
  const { t } = useTranslation('houses');
  const headingId = houseHeadingId(room.id);
  const listOf = useMeantFor();
  const { name, vacantBedsCount, bedsCount, disabledBedsCount, meantFor } = room;
  return (
    <section
      className={classes.house}
      aria-labelledby={headingId}
      // For the size of the house before it is drawn; the rest of the sum stands in the style sheet.
      style={
        {
          '--beds': isFolded ? 0 : room.beds.length + (onHouse ? 1 : 0),
          '--for': meantFor.length > 0 ? '1.75rem' : '0rem',
        } as CSSProperties
      }
    >
      <header className={classes.houseHead} data-house-head={room.id}>
        {room.imagePath ? (
          <img
            className={classes.housePhoto}
            src={pictureUrl(room.imagePath, true)}
            alt=""
            width={40}
            height={40}
            loading="lazy"
          />
        ) : null}
        <div className={classes.houseTitle}>
          <h2 id={headingId} className={classes.houseName} tabIndex={-1}>
            {onFold ? (
              <button
                type="button"
                className={classes.fold}
                aria-expanded={!isFolded}
                onClick={() => onFold(room.id, !isFolded)}
              >
                <ChevronDown size={18} aria-hidden />
                <span className={classes.foldName}>{name}</span>
              </button>
            ) : (
              name
            )}
          </h2>
          <span className={classes.houseCount}>
            {t('vacantOf', { vacant: vacantBedsCount, beds: bedsCount })}
            {disabledBedsCount > 0 && ` · ${t('disabledToo', { count: disabledBedsCount })}`}
          </span>
        </div>
        {onHouse && (
          <MenuButton
            label={t('houseMenu.label', { house: name })}
            entries={[
              { label: t('houseMenu.edit'), onSelect: () => onHouse(room, 'edit') },
              { label: t('houseMenu.addBed'), onSelect: () => onHouse(room, 'add-beds') },
              { label: t('houseMenu.delete'), danger: true, onSelect: () => onHouse(room, 'delete') },
            ]}
          />
        )}
      </header>
      {meantFor.length > 0 ? <p className={classes.houseFor}>{t('meantFor', { list: listOf(meantFor) })}</p> : null}
      {isFolded ? null : room.beds.length === 0 && !onHouse ? (
        <p className={classes.noBeds}>{t('noBedsInHouse')}</p>
      ) : (
        <ul className={classes.beds}>
          {room.beds.map((bed) => (
            <BedCell key={bed.id} bed={bed} texts={texts} menuOf={menuOf} onOpenBed={onOpenBed} />
          ))}
          {onHouse && (
            <li>
              <button
                type="button"
                className={classes.addBed}
                aria-label={t('addBedTo', { house: name })}
                onClick={() => onHouse(room, 'add-beds')}
              >
                <svg viewBox="0 0 16 16" aria-hidden="true">
                  <path d="M8 3v10M3 8h10" />
                </svg>
                {t('addBed')}
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
});

interface BedCellProps {
  readonly bed: Bed;
  readonly texts: BedTexts;
  readonly menuOf?: (bed: Bed) => ReactNode;
  readonly onOpenBed?: (bed: Bed) => void;
}

const BedCell = memo(function BedCell({ bed, texts, menuOf, onOpenBed }: BedCellProps) {
  const { t } = useTranslation('houses');
  return (
    <li className={classes.cell}>
      <BedTile bed={bed} texts={texts} photo={bed.imagePath} />
      {onOpenBed && (
        // One plain button over the tile: a house may have many beds.
        <button
          type="button"
          className={classes.openBed}
          aria-label={t('bedPanel.open', { bed: bed.name, house: bed.room.name })}
          onClick={() => onOpenBed(bed)}
        />
      )}
      {menuOf?.(bed)}
    </li>
  );
});
