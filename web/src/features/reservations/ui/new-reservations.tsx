import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';

interface NewReservationsProps {
  guests: readonly Pick<Schemas['Guest'], 'id' | 'displayName'>[];
  /** The ids of the new rows; see `useNewRows`. */
  newIds: ReadonlySet<string>;
}

/** Says which rows of a list of reservations are new. Stands beside the list also while that is empty. */
export function NewReservations({ guests, newIds }: NewReservationsProps) {
  const { t } = useTranslation('reservations');
  const [first] = guests.filter(({ id }) => newIds.has(id));
  return (
    <VisuallyHidden role="status">
      {first ? t('new', { count: newIds.size, guest: first.displayName }) : null}
    </VisuallyHidden>
  );
}
