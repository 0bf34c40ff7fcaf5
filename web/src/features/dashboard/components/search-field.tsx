import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { USER_FIELDS } from '../dashboard-search';
import type { UserField } from '../dashboard.utils';

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
