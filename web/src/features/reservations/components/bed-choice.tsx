import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { BedTile } from '@/features/houses/ui/bed-tile';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';
import { isVacant } from '@/features/houses/ui/beds.utils';
import { housesToShow } from '../ui/placement.utils';
import classes from './request.module.css';

interface BedChoiceProps {
  rooms: readonly Schemas['Room'][];
  showsAll: boolean;
  chosenId: string | null;
  onChoose: (bedId: string) => void;
}

/** The beds by house; the vacant ones are one group of radio buttons, so that arrow keys walk through them. */
export function BedChoice({ rooms, showsAll, chosenId, onChoose }: BedChoiceProps) {
  const { t } = useTranslation('reservations');
  const texts = useBedTexts();
  const name = useId();
  return (
    <div role="radiogroup" aria-label={t('request.chooseHint')} className={classes.houses}>
      {housesToShow(rooms, showsAll).map(({ room, beds }) => (
        <section key={room.id} aria-labelledby={`${name}-${room.id}`}>
          <h3 id={`${name}-${room.id}`} className={classes.house}>
            {room.name}
            <span className={classes.dim}>
              {t('request.houseVacancy', { vacant: room.beds.filter(isVacant).length, beds: room.bedsCount })}
            </span>
          </h3>
          <div className={classes.beds}>
            {beds.map((bed) =>
              isVacant(bed) ? (
                <label
                  key={bed.id}
                  htmlFor={`${name}-${bed.id}`}
                  className={classes.choice}
                  data-chosen={bed.id === chosenId}
                >
                  <BedTile
                    bed={bed}
                    texts={texts}
                    action={
                      <input
                        id={`${name}-${bed.id}`}
                        type="radio"
                        name={name}
                        className={classes.radio}
                        checked={bed.id === chosenId}
                        aria-label={`${bed.name}, ${room.name}, ${texts.type(bed.type)}`}
                        onChange={() => onChoose(bed.id)}
                      />
                    }
                  />
                </label>
              ) : (
                <div key={bed.id}>
                  <BedTile bed={bed} texts={texts} />
                </div>
              ),
            )}
          </div>
        </section>
      ))}
    </div>
  );
}
