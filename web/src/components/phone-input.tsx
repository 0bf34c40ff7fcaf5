import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatPhone, toStoredPhone } from '@/lib/phone';

interface PhoneInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'defaultValue'> {
  /** `+1` and ten digits, or what is there so far; empty for nothing. */
  value: string;
  onChange: (value: string) => void;
}

/** A US number: shown as +1 (555) 123-4567, kept as +15551234567. Any pasted spelling is understood. */
export function PhoneInput({ value, onChange, label, ...props }: PhoneInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      placeholder={t('phone.placeholder')}
      {...props}
      label={label ?? t('phone.label')}
      value={formatPhone(value)}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        const next = toStoredPhone(typed);
        // Backspace over a sign such as ")" changes no digit; then the last digit goes, as the hand expects.
        const erasedSign = next === value && typed.length < formatPhone(value).length;
        onChange(erasedSign ? toStoredPhone(next.slice(2, -1)) : next);
      }}
    />
  );
}
