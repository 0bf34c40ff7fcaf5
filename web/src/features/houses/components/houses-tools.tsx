import { Button, NativeSelect, Switch } from '@mantine/core';
import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { BED_TYPES, typesOf } from '../bed-types.utils';
import type { Bed, Room } from '../houses.utils';
import { MANY_HOUSES } from '../ui/beds.utils';
import { HouseJump } from '../ui/house-jump';
import { useBedTexts } from '../ui/use-bed-texts';
import { houseHeadingId } from './house-section';
import classes from './houses.module.css';

interface HousesToolsProps {
  /** All houses of the site. */
  rooms: readonly Room[];
  /** The houses that are listed. */
  listed: readonly Room[];
  type: Bed['type'] | undefined;
  onTypeChange: (type: Bed['type'] | undefined) => void;
  isCompact: boolean;
  onCompactChange: (isCompact: boolean) => void;
  /** Ids of the houses of which only the heading is shown. */
  folded: ReadonlySet<string>;
  onFold: (folded: ReadonlySet<string>) => void;
}

/** What makes many beds usable: one type alone, smaller tiles, a way to each house, houses that fold. */
export function HousesTools(props: HousesToolsProps) {
  const { rooms, listed, type, onTypeChange, isCompact, onCompactChange, folded, onFold } = props;
  const { t } = useTranslation('houses');
  const texts = useBedTexts();
  const types = typesOf(rooms);
  const isLong = rooms.length >= MANY_HOUSES;
  const isAllFolded = listed.every(({ id }) => folded.has(id));
  const unfold = (roomId: string) => onFold(new Set([...folded].filter((id) => id !== roomId)));
  if (!isLong && types.length < 2) return null;
  return (
    <div className={classes.finding}>
      {types.length < 2 ? null : (
        <NativeSelect
          aria-label={t('tools.type')}
          data={[
            { value: '', label: t('tools.anyType') },
            ...types.map((one) => ({ value: one, label: texts.type(one) })),
          ]}
          value={type ?? ''}
          onChange={({ currentTarget: { value } }) => onTypeChange(BED_TYPES.find((one) => one === value))}
        />
      )}
      {isLong && listed.length > 1 ? (
        <>
          <HouseJump rooms={listed} headingId={houseHeadingId} onJump={unfold} />
          <Button
            variant="default"
            leftSection={
              isAllFolded ? <ChevronsUpDown size={16} aria-hidden /> : <ChevronsDownUp size={16} aria-hidden />
            }
            onClick={() => onFold(isAllFolded ? new Set() : new Set(listed.map(({ id }) => id)))}
          >
            {t(isAllFolded ? 'tools.unfoldAll' : 'tools.foldAll')}
          </Button>
        </>
      ) : null}
      {isLong ? (
        <Switch
          label={t('tools.compact')}
          checked={isCompact}
          onChange={(event) => onCompactChange(event.currentTarget.checked)}
        />
      ) : null}
    </div>
  );
}
