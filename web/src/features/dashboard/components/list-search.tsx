import { CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { USER_FIELDS } from '../dashboard-search';
import type { UserField } from '../dashboard.utils';

/** How long nobody types before the list is asked for, in milliseconds. */
const PAUSE = 250;

interface ListSearchProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}

/** Text that a list is searched for. Without regard to case; anywhere in the text. */
export function ListSearchInput({ label, placeholder, value, onChange }: ListSearchProps) {
  const { t } = useTranslation('dashboard');
  const [typed, setTyped] = useState(value);
  const [told, setTold] = useState(value);
  // The address changed from elsewhere: by the back button or another tab.
  if (value !== told) {
    setTold(value);
    if (value !== typed.trim()) setTyped(value);
  }
  const tell = useDebouncedCallback((text: string) => onChange(text.trim()), PAUSE);
  const change = (text: string) => {
    setTyped(text);
    tell(text);
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      data-tour="dashboard-search"
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<Search size={16} aria-hidden />}
      rightSection={
        typed === '' ? null : <CloseButton size="sm" aria-label={t('clearSearch')} onClick={() => change('')} />
      }
      autoComplete="off"
      spellCheck={false}
      maxLength={100}
      flex={{ base: 1, sm: 'none' }}
      w={{ sm: 260 }}
      miw={160}
    />
  );
}

/** Where users are searched. */
export function SearchField({ value, onChange }: { value: UserField; onChange: (field: UserField) => void }) {
  const { t } = useTranslation('dashboard');
  return (
    <NativeSelect
      size="md"
      label={t('searchField')}
      value={value}
      onChange={(event) => {
        const field = USER_FIELDS.find((one) => one === event.currentTarget.value);
        if (field) onChange(field);
      }}
      data={USER_FIELDS.map((field) => ({ value: field, label: t(`column.${field}`) }))}
    />
  );
}
