import { TextInput, type TextInputProps } from '@mantine/core';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberFormatBase } from 'react-number-format';
import { formatPhone, toStoredPhone } from '@/lib/phone';

interface PhoneInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'defaultValue' | 'ref'> {
  /** `+1` and ten digits, or the part typed so far. */
  value: string;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
}

/**
 * Input for a US phone number: shown as +1 (714) 555-1234, stored as +17145551234. Accepts any spelling. A number of
 * another country is left as typed, so that validation rejects it.
 */
export function PhoneInput({ value, onChange, label, ref, ...props }: PhoneInputProps) {
  const { t } = useTranslation();
  return (
    <NumberFormatBase<TextInputProps>
      autoComplete="tel"
      placeholder={t('phone.placeholder')}
      {...props}
      customInput={TextInput}
      getInputRef={ref}
      type="tel"
      inputMode="tel"
      label={label ?? t('phone.label')}
      value={value}
      valueIsNumericString
      format={formatPhone}
      removeFormatting={digitsOf}
      getCaretBoundary={caretPlaces}
      onValueChange={(next, { event }) => {
        if (event) onChange(next.value);
      }}
    />
  );
}

/** A change of the text, as react-number-format reports it. */
interface Change {
  to: { start: number; end: number };
  lastValue: string;
}

/** Returns the stored form of the text. Ignores a single digit typed into a complete number; a paste replaces the number. */
function digitsOf(typed: string, change?: Change): string {
  const isOneKey = change !== undefined && change.to.end - change.to.start <= 1;
  const isTooLong = typed.startsWith('+1 (') && typed.replace(/\D/g, '').length > 11;
  return toStoredPhone(isOneKey && isTooLong ? change.lastValue : typed);
}

/** Returns for each position if the caret may be there: next to the digits after +1, or anywhere in a foreign number. */
function caretPlaces(shown: string): boolean[] {
  const isUs = shown.startsWith('+1 (');
  const isDigit = (index: number) => index >= 4 && /\d/.test(shown.charAt(index));
  return Array.from({ length: shown.length + 1 }, (_, place) => !isUs || isDigit(place) || isDigit(place - 1));
}
