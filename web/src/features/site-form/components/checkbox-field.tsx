import { Checkbox } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import type { SiteFormValues } from '../site-form.schema';
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
  const error = fieldText(name);
  return (
    <Controller
      name={name}
      control={control}
      render={({ field }) => (
        <>
          {groups
            .filter(({ choices }) => choices.length > 0)
            .map(({ label, choices }, place) => (
              // Each group holds the values of all of them: the kit's group changes only what it shows.
              <Checkbox.Group
                key={label}
                classNames={{ label: classes.legend }}
                label={
                  place > 0 || !isRequired ? (
                    <>
                      {label} <span className={classes.hint}>({t('field.optional')})</span>
                    </>
                  ) : (
                    label
                  )
                }
                withAsterisk={place === 0 && isRequired}
                error={place === 0 ? error : undefined}
                inputWrapperOrder={['label', 'error', 'input']}
                value={field.value}
                onChange={(chosen) => {
                  field.onChange(chosen);
                  field.onBlur();
                }}
              >
                <div className={isShort ? `${classes.choices} ${classes.short}` : classes.choices}>
                  {choices.map((choice) => (
                    <Checkbox
                      key={choice.id}
                      value={choice.id}
                      label={choice.name}
                      aria-invalid={error && place === 0 ? true : undefined}
                    />
                  ))}
                </div>
              </Checkbox.Group>
            ))}
        </>
      )}
    />
  );
}
