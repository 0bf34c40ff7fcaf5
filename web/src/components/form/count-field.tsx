import { Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import { CountInput } from '../count-input';
import type { SaveForm } from './use-save-form';

interface CountFieldProps<Values extends FieldValues> {
  form: SaveForm<Values>;
  name: FieldPathByValue<Values, number>;
  min: number;
  max: number;
  fewerLabel: string;
  moreLabel: string;
}

/** A `CountInput` bound to a form. */
export function CountField<Values extends FieldValues>({ form, name, ...props }: CountFieldProps<Values>) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <CountInput
          {...props}
          ref={field.ref}
          label={form.labels[name]}
          required
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          error={form.fieldText(name)}
        />
      )}
    />
  );
}
