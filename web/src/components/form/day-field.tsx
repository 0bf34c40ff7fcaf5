import type { TextInputProps } from '@mantine/core';
import { Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import { DayInput } from '../day-input';
import type { FieldForm } from './use-save-form';

interface DayFieldProps<Values extends FieldValues> extends Pick<TextInputProps, 'flex'> {
  form: FieldForm<Values>;
  /** Its schema is `optionalDay`. */
  name: FieldPathByValue<Values, string>;
  /** First and last day of the calendar; the server checks them. */
  min?: string;
  max?: string;
}

/** A `DayInput` bound to a form. */
export function DayField<Values extends FieldValues>({ form, name, ...props }: DayFieldProps<Values>) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <DayInput {...props} {...field} label={form.labels[name]} error={form.fieldText(name)} autoComplete="off" />
      )}
    />
  );
}
