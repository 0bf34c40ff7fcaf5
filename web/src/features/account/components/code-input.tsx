import { TextInput, type TextInputProps } from '@mantine/core';

interface CodeInputProps extends Pick<TextInputProps, 'label' | 'description' | 'error' | 'maw'> {
  /** The digits typed so far, at most six. */
  value: string;
  onChange: (digits: string) => void;
}

/**
 * A code of six digits. One field, not the kit's PinInput of six: that drops a paste with words around the code, offers the
 * browser six fields to fill in, and has screen readers name each of them alike.
 */
export function CodeInput({ value, onChange, ...props }: CodeInputProps) {
  return (
    <TextInput
      {...props}
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
    />
  );
}
