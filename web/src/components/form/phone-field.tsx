import { Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import { PhoneInputLater } from '../lazy-inputs';
import type { FieldForm } from './use-save-form';

interface PhoneFieldProps<Values extends FieldValues> {
  form: FieldForm<Values>;
  name: FieldPathByValue<Values, string>;
  required?: boolean;
}

/** A `PhoneInput` bound to a form. */
export function PhoneField<Values extends FieldValues>({ form, name, required }: PhoneFieldProps<Values>) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <PhoneInputLater
          {...field}
          label={form.labels[name]}
          error={form.fieldText(name)}
          withAsterisk={required}
          aria-required={required}
          autoComplete="off"
        />
      )}
    />
  );
}
