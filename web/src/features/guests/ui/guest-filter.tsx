import { useTranslation } from 'react-i18next';
import { SearchInput } from '@/components/search-input';

interface GuestFilterProps {
  value: string;
  onChange: (value: string) => void;
}

/** Finds a guest in a list already loaded. Its text stays out of the address: history and logs would keep names. */
export function GuestFilter({ value, onChange }: GuestFilterProps) {
  const { t } = useTranslation('guests');
  return <SearchInput label={t('filter')} value={value} onChange={onChange} tour="guest-filter" />;
}
