import { Group, Radio } from '@mantine/core';
import type { ReactNode } from 'react';
import { Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import type { FieldForm } from './use-save-form';

interface Choice {
  value: string;
  label: string;
}

interface RadioFieldProps<Values extends FieldValues> {
  form: FieldForm<Values>;
  name: FieldPathByValue<Values, string>;
  choices: readonly Choice[];
  required?: boolean;
  /** More choices below, drawn for what is chosen; made of `Radios`. */
  children?: (value: string) => ReactNode;
}

/** One of a few choices, bound to a form. */
export function RadioField<Values extends FieldValues>(props: RadioFieldProps<Values>) {
  const { form, name, choices, required, children } = props;
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Radio.Group
          label={form.labels[name]}
          error={form.fieldText(name)}
          withAsterisk={required}
          value={field.value}
          onChange={field.onChange}
        >
          <Radios choices={choices} firstRef={field.ref} />
          {children?.(field.value)}
        </Radio.Group>
      )}
    />
  );
}

interface RadiosProps {
  choices: readonly Choice[];
  /** The first one takes the focus for the field. */
  firstRef?: (input: HTMLInputElement | null) => void;
}

/** Choices of a `RadioField` side by side. */
export function Radios({ choices, firstRef }: RadiosProps) {
  return (
    <Group gap="md" mt={4} mb={6}>
      {choices.map((choice, index) => (
        <Radio key={choice.value} ref={index === 0 ? firstRef : undefined} {...choice} />
      ))}
    </Group>
  );
}
