import { useId } from 'react';
import { Controller } from 'react-hook-form';
import { useSaveFormContext } from '@/components/form/use-save-form-context';
import type { SiteFormValues } from '../site-form.schema';
import { FieldError } from './field-error';
import { FormSection } from './form-section';
import { IntakeHours } from './intake-hours';

/** When the site takes guests in. */
export function IntakeFields() {
  const { control, fieldText } = useSaveFormContext<SiteFormValues>();
  const errorId = useId();
  const missing = fieldText('intakePeriods');
  return (
    <FormSection step="intake">
      <FieldError id={errorId} text={missing} />
      <Controller
        name="intakePeriods"
        control={control}
        render={({ field }) => (
          <IntakeHours
            value={field.value}
            errors={field.value.map((_period, index) => ({
              from: fieldText(`intakePeriods.${index}.from`),
              to: fieldText(`intakePeriods.${index}.to`),
            }))}
            describedBy={missing ? errorId : undefined}
            onChange={(value) => {
              field.onChange(value);
              // A choice is finished when it is made: what was wrong is judged again at once.
              field.onBlur();
            }}
          />
        )}
      />
    </FormSection>
  );
}
