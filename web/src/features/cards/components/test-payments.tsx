import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePublicSettings } from '@/features/shell/api/public-settings';

/** Says so where payments are only played. */
export function TestPayments() {
  const { t } = useTranslation('cards');
  if (!usePublicSettings()?.testPayments) return null;
  return (
    <Alert color="yellow" role="note" mb="md" maw={720}>
      {t('testPayments')}
    </Alert>
  );
}
