import { NativeSelect } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { BedTile } from '@/features/houses/ui/bed-tile';
import type { PlacementRules } from '@/features/houses/ui/meant-for.utils';
import { useMeantFor } from '@/features/houses/ui/use-meant-for';
import { useBedTexts } from '@/features/houses/ui/use-bed-texts';
import { isVacant } from '@/features/houses/ui/beds.utils';
import { type BedFit, housesByFit, isFor, type Needs, rankBeds, vacantTypes } from './bed-fit.utils';
import classes from './bed-choice.module.css';
import { useFitTexts } from './use-fit-texts';

interface BedChoiceProps {
  rooms: readonly Schemas['Room'][];
  /** Who is to get the bed: the beds that fit come first. */
  guest: Needs;
  rules: PlacementRules;
  showsAll: boolean;
  chosenId: string | null;
  onChoose: (bedId: string | null) => void;
}

const ALL = 'all';

/**
 * The beds by house, the best for the guest first, of all types or of one; the vacant ones are one group of radio buttons,
 * so that arrow keys walk through them.
 */
export function BedChoice({ rooms, guest, rules, showsAll, chosenId, onChoose }: BedChoiceProps) {
  const { t } = useTranslation('reservations');
  const texts = useBedTexts();
  const listOf = useMeantFor();
  const name = useId();
  const fits = useMemo(() => rankBeds(rooms, guest, rules), [rooms, guest, rules]);
  const types = vacantTypes(fits);
  const [wanted, setWanted] = useState<string>(ALL);
  const type = types.find((known) => known.type === wanted)?.type ?? null;
  const fitOf = new Map(fits.map((fit) => [fit.bed.id, fit]));
  const bestId = fits.find(isFor)?.bed.id;

  const filter = (next: string) => {
    setWanted(next);
    // The chosen bed must be visible: if the filter hides it, choose the best one of that type, if one is for the guest.
    const chosen = fits.find(({ bed }) => bed.id === chosenId);
    if (next === ALL || !chosen || chosen.bed.type === next) return;
    onChoose(fits.find((fit) => fit.bed.type === next && isFor(fit))?.bed.id ?? null);
  };

  return (
    <>
      {types.length > 1 ? (
        <NativeSelect
          label={t('request.bedType')}
          className={classes.filter}
          size="md"
          value={type ?? ALL}
          data={[
            { value: ALL, label: t('request.allTypes', { count: fits.length }) },
            ...types.map(({ type: value, count }) => ({
              value,
              label: t('request.typeCount', { type: texts.type(value), count }),
            })),
          ]}
          onChange={(event) => filter(event.currentTarget.value)}
        />
      ) : null}
      <div role="radiogroup" aria-label={t('request.chooseHint')} className={classes.houses}>
        {housesByFit(rooms, fits, { showsAll, type }).map(({ room, beds }) => (
          <section key={room.id} aria-labelledby={`${name}-${room.id}`}>
            <h3 id={`${name}-${room.id}`} className={classes.house}>
              {room.name}
              <span className={classes.dim}>
                {t('request.houseVacancy', { vacant: room.beds.filter(isVacant).length, beds: room.bedsCount })}
                {room.meantFor.length > 0 ? ` · ${t('request.meantFor', { list: listOf(room.meantFor) })}` : null}
              </span>
            </h3>
            <div className={classes.beds}>
              {beds.map((bed) => {
                const fit = fitOf.get(bed.id);
                const isRefused = fit !== undefined && !isFor(fit) && rules.breach === 'refused';
                return fit ? (
                  <label
                    key={bed.id}
                    htmlFor={`${name}-${bed.id}`}
                    className={classes.choice}
                    data-chosen={bed.id === chosenId}
                    data-refused={isRefused || undefined}
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
                          aria-describedby={`${name}-${bed.id}-fit`}
                          // Within reach of the keyboard, so that the reason is read.
                          aria-disabled={isRefused || undefined}
                          onChange={() => isRefused || onChoose(bed.id)}
                        />
                      }
                    />
                    <FitNote id={`${name}-${bed.id}-fit`} fit={fit} rules={rules} isBest={bed.id === bestId} />
                  </label>
                ) : (
                  <div key={bed.id}>
                    <BedTile bed={bed} texts={texts} />
                  </div>
                );
              })}
            </div>
          </section>
        ))}
      </div>
    </>
  );
}

/** Why the bed is where it is in the list. */
function FitNote({
  id,
  fit,
  rules,
  isBest,
}: Pick<BedChoiceProps, 'rules'> & { id: string; fit: BedFit; isBest: boolean }) {
  const textsOf = useFitTexts(rules);
  const { fit: why, warning } = textsOf(fit, isBest);
  return (
    <span id={id} className={classes.fit} data-best={isBest}>
      {why ? <span>{why}</span> : null}
      {warning ? <span className={classes.warning}>{warning}</span> : null}
    </span>
  );
}
