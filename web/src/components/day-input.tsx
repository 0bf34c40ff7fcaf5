import { TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type Ref, type SyntheticEvent, useEffect, useRef } from 'react';
import { dayIn, INCOMPLETE_DAY } from './form/day';

interface DayInputProps extends Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'onKeyDown' | 'onKeyUp' | 'ref'> {
  ref?: Ref<HTMLInputElement>;
  /** `yyyy-mm-dd`, '' for none, `INCOMPLETE_DAY` for what the user has typed so far. */
  value: string;
  onChange: (day: string) => void;
}

/** A field for a day that tells a day of which only a part is typed from none. */
export function DayInput({ value, onChange, onBlur, ref, ...props }: DayInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const mergedRef = useMergedRef(ref, input);
  useEffect(() => {
    // To React the input was empty before, too, so that it leaves the typed part there.
    if (value === '' && input.current?.validity.badInput) input.current.value = '';
  }, [value]);
  const read = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
    const day = dayIn(currentTarget);
    if (day !== value) onChange(day);
  };
  return (
    <TextInput
      {...props}
      ref={mergedRef}
      type="date"
      value={value === INCOMPLETE_DAY ? '' : value}
      onChange={read}
      // The browser reports no change from an empty field to a part of a day. Enter is pressed before a key is released.
      onKeyDown={read}
      onKeyUp={read}
      onBlur={(event) => {
        read(event);
        onBlur?.(event);
      }}
    />
  );
}
