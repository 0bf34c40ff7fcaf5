import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import type { SaveForm } from './use-save-form';

interface SwitchFieldProps<Values extends FieldValues> {
  form: SaveForm<Values>;
  name: FieldPathByValue<Values, boolean>;
  description?: ReactNode;
}

/** A switch bound to a form. */
export function SwitchField<Values extends FieldValues>({ form, name, description }: SwitchFieldProps<Values>) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Switch
          ref={field.ref}
          label={form.labels[name]}
          description={description}
          checked={field.value}
          onChange={(event) => field.onChange(event.currentTarget.checked)}
          onBlur={field.onBlur}
          error={form.fieldText(name)}
        />
      )}
    />
  );
}
