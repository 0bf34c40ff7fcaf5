import { ActionIcon, Input } from '@mantine/core';
import { Minus, Plus } from 'lucide-react';
import { useId } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
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
                  <div key={type} className={classes.bedType}>
                    <label htmlFor={`${id}-${type}`}>{name}</label>
                    <div className={classes.stepper}>
                      <ActionIcon
                        variant="default"
                        size={44}
                        aria-label={t('houses.fewer', texts)}
                        disabled={count === 0}
                        onClick={() => change(type, count - 1)}
                      >
                        <Minus size={18} aria-hidden />
                      </ActionIcon>
                      <Input
                        id={`${id}-${type}`}
                        type="number"
                        inputMode="numeric"
                        size="md"
                        min={0}
                        max={MAX_BEDS}
                        aria-label={t('houses.bedsOf', texts)}
                        aria-describedby={error ? `${id}-error` : undefined}
                        error={Boolean(error)}
                        value={String(count)}
                        onFocus={(event) => event.currentTarget.select()}
                        onChange={(event) => change(type, Number.parseInt(event.currentTarget.value, 10))}
                      />
                      <ActionIcon
                        variant="default"
                        size={44}
                        aria-label={t('houses.more', texts)}
                        disabled={count >= MAX_BEDS}
                        onClick={() => change(type, count + 1)}
                      >
                        <Plus size={18} aria-hidden />
                      </ActionIcon>
                    </div>
                  </div>
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
