import { Checkbox, SimpleGrid } from '@mantine/core';
import { useId } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import type { SiteFormValues } from '../site-form.schema';
import { FieldError } from './field-error';
import classes from './site-form.module.css';

interface CheckboxFieldProps {
  name: 'serviceIds' | 'languageIds' | 'nonCommercialPaymentMethodIds';
  /** Groups of choices that fill the same field, each with its heading. */
  groups: readonly { label: string; choices: readonly { id: string; name: string }[] }[];
  isRequired?: boolean;
  /** Short names stand in two columns on a phone, too. */
  isShort?: boolean;
}

/** Several of several: checkboxes under one or more headings; groups without choices are left out. */
export function CheckboxField({ name, groups, isRequired = false, isShort = false }: CheckboxFieldProps) {
  const { t } = useTranslation('site-form');
  const { control, fieldText } = useSaveFormContext<SiteFormValues>();
  const errorId = useId();
  const error = fieldText(name);
  return (
    <Controller
      name={name}
      control={control}
      render={({ field }) => {
        const toggle = (id: string, isChosen: boolean) => {
          field.onChange(isChosen ? [...field.value, id] : field.value.filter((other) => other !== id));
          field.onBlur();
        };
        return (
          <>
            {groups
              .filter(({ choices }) => choices.length > 0)
              .map(({ label, choices }, place) => (
                <fieldset key={label} className={classes.group}>
                  <legend className={classes.legend}>
                    {label}{' '}
                    {place > 0 || !isRequired ? (
                      <span className={classes.hint}>({t('field.optional')})</span>
                    ) : (
                      <span className={classes.asterisk} aria-hidden>
                        *
                      </span>
                    )}
                  </legend>
                  {place === 0 ? <FieldError id={errorId} text={error} /> : null}
                  <SimpleGrid
                    cols={isShort ? { base: 2, sm: 3, lg: 4 } : { base: 1, xs: 2, md: 3 }}
                    spacing="sm"
                    verticalSpacing="sm"
                  >
                    {choices.map((choice) => (
                      <Checkbox
                        key={choice.id}
                        label={choice.name}
                        checked={field.value.includes(choice.id)}
                        aria-invalid={error && place === 0 ? true : undefined}
                        aria-describedby={error && place === 0 ? errorId : undefined}
                        onChange={(event) => toggle(choice.id, event.currentTarget.checked)}
                      />
                    ))}
                  </SimpleGrid>
                </fieldset>
              ))}
          </>
        );
      }}
    />
  );
}
