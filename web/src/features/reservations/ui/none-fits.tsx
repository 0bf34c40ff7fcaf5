import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PlacementRules } from '@/features/houses/ui/meant-for.utils';

/** Says that no vacant bed is for the guest, and what can be done. */
export function NoneFits({ rules: { breach } }: { rules: PlacementRules }) {
  const { t } = useTranslation('reservations');
  return (
    <Alert color="yellow" role="note">
      {t(`fit.none.${breach}`)}
    </Alert>
  );
}
