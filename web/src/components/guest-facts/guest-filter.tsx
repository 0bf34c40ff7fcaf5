import { CloseButton, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';

interface GuestFilterProps {
  value: string;
  onChange: (value: string) => void;
}

/** Finds a guest in a list already loaded. Its text stays out of the address: history and logs would keep names. */
export function GuestFilter({ value, onChange }: GuestFilterProps) {
  const { t } = useTranslation('guests');
  return (
    <TextInput
      type="text"
      data-tour="guest-filter"
      wrapperProps={{ 'data-print': 'hide' }}
      aria-label={t('filter')}
      placeholder={t('filter')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<Search size={16} aria-hidden />}
      rightSection={
        value === '' ? null : <CloseButton size="sm" aria-label={t('clearFilter')} onClick={() => onChange('')} />
      }
      autoComplete="off"
      spellCheck={false}
      w={{ base: '100%', xs: 320 }}
    />
  );
}
