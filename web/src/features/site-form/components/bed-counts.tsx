import { useId } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CountInputLater } from '@/components/lazy-inputs';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import { BED_TYPES, type SiteFormValues } from '../site-form.schema';
import { bedsOf, MAX_BEDS, withCount } from '../site-payload.utils';
import { FieldError } from './field-error';
import classes from './site-form.module.css';

/** How many beds of each type a house of the wizard has. */
export function BedCounts({ index }: { index: number }) {
  const { t } = useTranslation('site-form');
  const { control, fieldText } = useSaveFormContext<SiteFormValues>();
  const id = useId();
  const house = useWatch({ control, name: `rooms.${index}.name` });
  const error = fieldText(`rooms.${index}.beds`);
  return (
    <Controller
      name={`rooms.${index}.beds`}
      control={control}
      render={({ field }) => {
        const change = (type: (typeof BED_TYPES)[number], count: number) => {
          field.onChange(withCount(field.value, type, count));
          field.onBlur();
        };
        return (
          <fieldset className={classes.group}>
            <legend className={classes.legend}>
              {t('houses.beds')} <span className={classes.hint}>{bedsOf(field.value)}</span>
            </legend>
            <div className={classes.beds}>
              {BED_TYPES.map((type) => {
                const count = field.value.find((bed) => bed.type === type)?.count ?? 0;
                const name = t(`houses.type.${type}`);
                const texts = { type: name, house };
                return (
                  <CountInputLater
                    key={type}
                    label={name}
                    accessibleLabel={t('houses.bedsOf', texts)}
                    fewerLabel={t('houses.fewer', texts)}
                    moreLabel={t('houses.more', texts)}
                    min={0}
                    max={MAX_BEDS}
                    value={count}
                    onChange={(next) => change(type, next)}
                    error={Boolean(error)}
                    describedBy={error ? `${id}-error` : undefined}
                  />
                );
              })}
            </div>
            <FieldError id={`${id}-error`} text={error} />
          </fieldset>
        );
      }}
    />
  );
}
