import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import type { SaveForm } from './use-save-form';

type Value = string | number;

interface CheckboxGroupFieldProps<Values extends FieldValues> {
  form: SaveForm<Values>;
  /** Field with the chosen values. */
  name: FieldPathByValue<Values, Value[]>;
  /** In screen order; the chosen values keep this order. */
  choices: readonly { value: Value; label: string }[];
  description?: ReactNode;
  required?: boolean;
}

/** A list of checkboxes bound to a form. */
export function CheckboxGroupField<Values extends FieldValues>(props: CheckboxGroupFieldProps<Values>) {
  const { form, name, choices, description, required } = props;
  const chosenOf = (keys: readonly string[]) =>
    choices.map(({ value }) => value).filter((value) => keys.includes(String(value)));
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Checkbox.Group
          label={form.labels[name]}
          description={description}
          withAsterisk={required}
          value={(field.value as Value[]).map(String)}
          onChange={(keys) => field.onChange(chosenOf(keys))}
          error={form.fieldText(name)}
        >
          <Stack gap="xs" mt="xs" mb="xs" data-invalid-group={form.fieldText(name) ? true : undefined}>
            {choices.map(({ value, label }, index) => (
              <Checkbox key={value} ref={index === 0 ? field.ref : undefined} value={String(value)} label={label} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    />
  );
}
